import {render} from '@testing-library/react'
import {expect, onTestFinished, test, vi} from 'vitest'
import {createFoundMarks} from '#features/chat/found-marks.ts'
import type {FoundThread} from '#features/chat/found-thread.ts'
import {markWords} from '#features/chat/mark-words.ts'
import {textRanges} from '#features/chat/text-ranges.ts'
import {useFindMarks} from '#features/chat/use-find-marks.ts'

/* Finding walks the words of a row once, and again when they change: counted, not timed. */

const rowOf = (content: string, row = 0) => `<div data-row="${row}"><div data-words>${content}</div></div>`

function contentOf(html: string): HTMLElement {
  const content = document.createElement('div')
  content.innerHTML = html
  document.body.append(content)
  onTestFinished(() => content.remove())
  return content
}

/** How often the length or the words of a text are read meanwhile. */
function readsIn(act: () => void): number {
  let reads = 0
  for (const name of ['length', 'data'] as const) {
    const property = Object.getOwnPropertyDescriptor(CharacterData.prototype, name)
    if (property?.get === undefined) throw new Error(`Nothing reads the ${name} of a text`)
    const read = property.get
    Object.defineProperty(CharacterData.prototype, name, {
      ...property,
      get(this: CharacterData) {
        reads += 1
        return read.call(this) as unknown
      },
    })
    onTestFinished(() => void Object.defineProperty(CharacterData.prototype, name, property))
  }
  act()
  return reads
}

test('a letter in each of many pieces of code reads each piece a few times', () => {
  const many = 400
  const content = contentOf(rowOf(`<pre><code>${'<span>let e</span> '.repeat(many)}</code></pre>`))
  let ranges: Range[] = []
  const reads = readsIn(() => {
    ranges = textRanges(content, 'e ')
  })
  expect(ranges).toHaveLength(many)
  expect(reads).toBeLessThan(many * 40)
})

test('matches lie in one text, in several, and at their ends; not in buttons, formulas and thoughts', () => {
  const content = contentOf(
    rowOf(
      '<p>foo <b>f</b>oof<i></i><b>oo</b><button>foo</button></p><p>fo</p><p>o</p>' +
        '<span role="math">foo<b>foo</b></span><details><p>foo</p></details><h3>Foo</h3>',
    ),
  )
  const found = textRanges(content, 'foo').map(({startContainer, startOffset, endContainer, endOffset}) => [
    startContainer.textContent,
    startOffset,
    endContainer.textContent,
    endOffset,
  ])
  expect(found).toEqual([
    ['foo ', 0, 'foo ', 3],
    ['f', 0, 'oof', 2],
    ['oof', 2, 'oo', 2],
    ['Foo', 0, 'Foo', 3],
  ])
})

test('a growing row is walked once a frame, the others are not walked again, and a step to a match walks none', async () => {
  const frames: FrameRequestCallback[] = []
  const highlights = new Map<string, Set<Range>>()
  vi.stubGlobal('CSS', {highlights})
  vi.stubGlobal(
    'Highlight',
    class extends Set<Range> {
      constructor(...ranges: Range[]) {
        super(ranges)
      }
    },
  )
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback))
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => frames.splice(frame - 1, 1, () => undefined))
  const walks = vi.spyOn(document, 'createTreeWalker')
  onTestFinished(() => walks.mockRestore())
  const walksSince = () => {
    const count = walks.mock.calls.length
    walks.mockClear()
    return count
  }
  const paint = () => {
    for (const frame of frames.splice(0)) frame(0)
  }
  /** Changes the thread, until its watchers have been called. */
  const reported = (change: () => void) =>
    new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        observer.disconnect()
        resolve()
      })
      observer.observe(content, {childList: true, subtree: true})
      change()
    })
  const found = (name = 'found') => [...(highlights.get(name) ?? [])].map(String)

  const content = contentOf([rowOf('a kite', 0), rowOf('two kites, one kite', 1), rowOf('The answer', 2)].join(''))
  // as: the marks use these parts of a thread alone
  const view = {current: {elements: () => ({content, scroller: content}), reveal: () => undefined}}
  const threads = [{view}] as unknown as FoundThread[]
  const Marks = ({nth}: {nth: number}) => {
    useFindMarks(threads, 'kite', {row: 1, thread: 0, nth})
    return null
  }
  const {rerender, unmount} = render(<Marks nth={0} />)
  expect(found()).toEqual(['kite', 'kite', 'kite'])
  expect(walksSince()).toBe(3)
  rerender(<Marks nth={1} />)
  const [shown] = highlights.get('found-now') ?? []
  expect(shown?.startOffset).toBe('two kites, one '.length)
  expect(walksSince()).toBe(0)
  paint()

  const answer = content.querySelector('[data-row="2"] [data-words]')
  for (const words of [' is', ' a', ' kite']) await reported(() => answer?.append(words))
  expect(walksSince()).toBe(0)
  paint()
  expect(walksSince()).toBe(1)
  expect(found()).toHaveLength(4)

  await reported(() => content.querySelector('[data-row="0"]')?.remove())
  paint()
  expect(walksSince()).toBe(0)
  expect(found()).toHaveLength(3)
  unmount()
  expect([found(), found('found-now')]).toEqual([[], []])
})

test('a thread that comes with its first match is marked', () => {
  const highlights = new Map<string, Set<Range>>()
  vi.stubGlobal('CSS', {highlights})
  vi.stubGlobal('Highlight', Set)
  const content = contentOf(rowOf('a kite'))
  const view = {current: {elements: () => ({content: undefined as Element | undefined, scroller: content})}}
  // as: the marks use these parts of a thread alone
  const threads = [
    {view: {current: {elements: () => view.current.elements(), reveal: () => undefined}}},
  ] as unknown as FoundThread[]
  const Marks = ({row}: {row: number | undefined}) => {
    useFindMarks(threads, 'kite', row === undefined ? undefined : {row, thread: 0, nth: 0})
    return null
  }
  const {rerender, unmount} = render(<Marks row={undefined} />)
  view.current = {elements: () => ({content, scroller: content})}
  rerender(<Marks row={0} />)
  expect([...(highlights.get('found') ?? [])].map(String)).toEqual(['kite'])
  unmount()
})

test('the words of a search hit that a press ended take no marks of the field that finds words', () => {
  const highlights = new Map<string, Set<Range>>()
  vi.stubGlobal('CSS', {highlights})
  vi.stubGlobal('Highlight', Set)
  const content = contentOf(rowOf('a kite'))
  const [row] = content.querySelectorAll<HTMLElement>('[data-row]')
  if (row === undefined) throw new Error('There is no row')
  const found = () => [...(highlights.get('found') ?? [])].map(String)
  const end = markWords(row, content, 'a')
  expect(found()).toEqual(['a'])
  dispatchEvent(new KeyboardEvent('keydown', {key: 'f', ctrlKey: true}))
  expect(found()).toEqual([])
  const marks = createFoundMarks([content], 'kite')
  // the field leads to another row
  end()
  expect(found()).toEqual(['kite'])
  marks.end()
})
