import {act, cleanup} from '@testing-library/react'
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest'
import {createActor, createMachine} from 'xstate'
import {ChatContext, type Chat} from '#features/chat/chat.context.tsx'
import {createCodePainter} from '#features/chat/markdown/code-painter.ts'
import {createGrowingColours} from '#features/chat/markdown/growing-colours.ts'
import {highlight, type CodePiece} from '#features/chat/markdown/highlight.ts'
import {HighlightWorkerContext, type HighlightWorker} from '#features/chat/markdown/highlight-worker.ts'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {WorkerHere} from './worker-here.ts'

const codeOf = (lines: number) =>
  Array.from({length: lines}, (_, index) => `const foo${index} = 'bar' // baz\n`).join('')
const coloured = (code: string) => ({code, pieces: highlight(code, 'ts') ?? []})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a block of code', () => {
  const startWorker = (): HighlightWorker => new WorkerHere()
  const view = (markdown: string, growing: boolean) => (
    <HighlightWorkerContext value={startWorker}>
      <Markdown text={markdown} growing={growing} />
    </HighlightWorkerContext>
  )
  const keywords = () => document.querySelectorAll('pre [data-scope=keyword]')
  const shown = () => document.querySelector('pre')?.textContent
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

  test('that is long has colours, up to a bound, and loses nothing', async () => {
    const code = codeOf(5_000)
    renderView(view(`\`\`\`ts\n${code}\`\`\`\n`, false))
    await pass(0)
    await pass(1_000)
    expect(keywords().length).toBeGreaterThan(3_000)
    expect(keywords().length).toBeLessThan(4_000)
    expect(shown()).toBe(code.trimEnd())
  })

  /** In a session, as the chat and a comparison are. */
  const sessionView = (conversations: unknown, start: () => HighlightWorker, markdown: string, growing: boolean) => (
    // as: code asks for the session alone
    <ChatContext value={{actors: {conversations}} as Chat}>
      <HighlightWorkerContext value={start}>
        <Markdown text={markdown} growing={growing} />
      </HighlightWorkerContext>
    </ChatContext>
  )
  const startSession = () => createActor(createMachine({})).start()

  test('that is still there when its session has ended starts no worker, and in the next session it has colours', async () => {
    const startCounted = vi.fn(startWorker)
    const [session, next] = [startSession(), startSession()]
    const ended = `\`\`\`ts\n${codeOf(3)}\`\`\`\n`
    const {rerender} = renderView(sessionView(session, startCounted, `\`\`\`ts\n${codeOf(3)}`, true))
    session.stop()
    await pass(2_000)
    rerender(sessionView(session, startCounted, ended, false))
    await pass(2_000)
    expect(startCounted).not.toHaveBeenCalled()
    expect(shown()).toBe(codeOf(3).trimEnd())
    rerender(sessionView(next, startCounted, ended, false))
    await pass(0)
    expect(keywords()).toHaveLength(3)
  })

  test('that grows has colours for its lines so far, and keeps their elements', async () => {
    const fence = '```ts\n'
    const {rerender} = renderView(view(fence + codeOf(10), true))
    await pass(500)
    expect(keywords()).toHaveLength(0)
    // it stands still
    await pass(600)
    expect(keywords()).toHaveLength(9)
    const before = [...keywords()]
    rerender(view(`${fence}${codeOf(30)}const last`, true))
    expect([...keywords()]).toEqual(before)
    await pass(0)
    expect(keywords()).toHaveLength(30)
    expect([...keywords()].slice(0, 9)).toEqual(before)
    expect(shown()).toBe(`${codeOf(30)}const last`)
    rerender(view(`${fence}${codeOf(30)}const last = 1\n\`\`\`\n`, true))
    expect(keywords()).toHaveLength(30)
    await pass(0)
    expect([...keywords()].slice(0, 9)).toEqual(before)
    expect(keywords()).toHaveLength(31)
    expect(shown()).toBe(`${codeOf(30)}const last = 1`)
  })

  test('that ends with colours leaves it to the message that grows to keep what is selected', async () => {
    const [open, ended] = [`\`\`\`ts\n${codeOf(3)}`, `\`\`\`ts\n${codeOf(3)}\`\`\`\n`]
    // read once, it has its colours at once
    renderView(view(ended, false))
    await pass(0)
    cleanup()
    const {rerender} = renderView(view(open, true))
    const selectionReads = vi.spyOn(document, 'getSelection')
    onTestFinished(() => selectionReads.mockRestore())
    rerender(view(ended, true))
    expect(keywords()).toHaveLength(3)
    // where words are new, each time would be a layout of its own
    expect(selectionReads).toHaveBeenCalledOnce()
  })

  test('keeps what is selected in it when it ends with colours, and when colours come after', async () => {
    const code = codeOf(4)
    const text = () => document.querySelector('pre code span')?.firstChild
    const select = (node: Node | null | undefined) =>
      node instanceof Text && document.getSelection()?.setBaseAndExtent(node, 6, node, 10)
    const selected = () => document.getSelection()?.toString()
    const first = renderView(view(`\`\`\`ts\n${code}`, true))
    select(text())
    first.rerender(view(`\`\`\`ts\n${code}\`\`\`\n`, true))
    expect(keywords()).toHaveLength(0)
    await pass(0)
    expect(keywords()).toHaveLength(4)
    expect(selected()).toBe('foo0')
    cleanup()
    const second = renderView(view(`\`\`\`ts\n${code}`, true))
    select(text())
    second.rerender(view(`\`\`\`ts\n${code}\`\`\`\n`, true))
    expect(keywords()).toHaveLength(4)
    expect(selected()).toBe('foo0')
  })
})

describe('the painter', () => {
  const create = () => {
    const element = document.createElement('code')
    document.body.replaceChildren(element)
    const painter = createCodePainter({isAllKept: false})
    painter.attach(element)
    return {painter, element}
  }

  test('puts a long code on the page in several tasks', async () => {
    const {painter, element} = create()
    const code = codeOf(2_000)
    painter.show(code, coloured(code))
    const first = element.querySelectorAll('[data-scope]').length
    expect(first).toBeGreaterThan(500)
    expect(first).toBeLessThanOrEqual(2_500)
    await vi.runAllTimersAsync()
    expect(element.querySelectorAll('[data-scope=keyword]')).toHaveLength(2_000)
    expect(element.textContent).toBe(code)
  })

  test('keeps what is selected, also where lines become coloured', () => {
    const {painter, element} = create()
    painter.show(codeOf(3), undefined)
    const text = element.querySelector('span')?.firstChild
    if (!(text instanceof Text)) throw new Error('No text is shown.')
    const selection = document.getSelection()
    selection?.setBaseAndExtent(text, 6, text, codeOf(2).length + 10)
    const selected = selection?.toString()
    expect(selected).toContain('foo1')
    painter.show(codeOf(4), undefined)
    expect(selection?.toString()).toBe(selected)
    painter.show(codeOf(5), coloured(codeOf(4)))
    expect(element.querySelectorAll('[data-scope=keyword]')).toHaveLength(4)
    expect(selection?.toString()).toBe(selected)
  })

  test('shows the text of any growth, with long lines too, and of another code', () => {
    const {painter, element} = create()
    const whole = `${codeOf(50)}${"'word ' + ".repeat(900)}\n${codeOf(50)}`
    for (let end = 0; end <= whole.length; end += 97) {
      painter.show(whole.slice(0, end), end > 3_000 ? coloured(codeOf(60).slice(0, 1_500)) : undefined)
      expect(element.textContent).toBe(whole.slice(0, end))
    }
    painter.show('foo', undefined)
    expect(element.textContent).toBe('foo')
    expect(element.querySelector('[data-scope]')).toBeNull()
  })
})

describe('colours of code that grows', () => {
  const create = () => {
    const asked: string[] = []
    const answers: ((pieces: CodePiece[] | undefined) => void)[] = []
    const show = vi.fn()
    const colours = createGrowingColours((code) => {
      asked.push(code)
      return new Promise((resolve) => answers.push(resolve))
    }, show)
    return {asked, answers, show, colours}
  }

  test('are asked for after twenty lines or when it stands still, one request at a time', async () => {
    const {asked, answers, colours} = create()
    for (let lines = 1; lines <= 45; lines += 1) colours.grow(`${codeOf(lines)}const`)
    expect(asked).toEqual([codeOf(20)])
    answers[0]?.([])
    await vi.advanceTimersByTimeAsync(0)
    expect(asked).toEqual([codeOf(20), codeOf(45)])
    answers[1]?.([])
    colours.grow(`${codeOf(46)}const`)
    await vi.advanceTimersByTimeAsync(999)
    expect(asked).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(asked.slice(2)).toEqual([codeOf(46)])
  })

  test('are not asked for again where there are none, or where it has ended', async () => {
    const none = create()
    none.colours.grow(codeOf(20))
    none.answers[0]?.(undefined)
    await vi.advanceTimersByTimeAsync(0)
    none.colours.grow(codeOf(60))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(none.asked).toHaveLength(1)
    const ended = create()
    ended.colours.grow(codeOf(20))
    ended.colours.end()
    ended.answers[0]?.([])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(ended.show).not.toHaveBeenCalled()
  })
})

test.each([
  ['vue', '<template><p>foo</p></template>', 'name'],
  ['dockerfile', 'FROM foo\nRUN bar', 'keyword'],
])('a file of %s is coloured', (language, code, name) => {
  expect(highlight(code, language)?.some(({scope}) => scope === name)).toBe(true)
})
