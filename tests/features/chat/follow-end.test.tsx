import {act, cleanup, fireEvent, screen, waitFor} from '@testing-library/react'
import {beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest'
import {ThreadView} from '#features/chat/thread-view.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import {renderView} from '#tests/ui/render.tsx'

/*
 * The view follows an answer that grows, until its reader goes elsewhere. (e2e/chat-reading.spec.ts scrolls a real
 * page.)
 */

const visible = 400

/** The listeners that hear of new sizes, as from a browser before it paints. */
const sizes = new Set<() => void>()
beforeEach(() => {
  sizes.clear()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(private readonly tell: () => void) {}
      observe() {
        sizes.add(this.tell)
      }
      disconnect() {
        sizes.delete(this.tell)
      }
    },
  )
})

/** A thread of this height, as this DOM has no layout; what a browser clamps is clamped. */
function openThread(height = 2_000, focusField = () => {}) {
  renderView(<ThreadView rows={[<p key="row">foo bar</p>]} busy announcement="" focusField={focusField} />)
  const thread = screen.getByRole('log')
  let top = 0
  Object.defineProperties(thread, {
    clientHeight: {value: visible},
    scrollHeight: {get: () => height},
    scrollTop: {
      get: () => top,
      set: (wanted: number) => (top = Math.max(0, Math.min(wanted, height - visible))),
    },
  })
  const grow = (by = 500) =>
    act(() => {
      height += by
      for (const tell of sizes) tell()
    })
  /** The position where the view stands then, as a browser says it. */
  const scrollTo = (position: number) => {
    thread.scrollTop = position
    fireEvent.scroll(thread)
  }
  const end = () => height - visible
  grow(0)
  expect(thread.scrollTop).toBe(Math.max(0, end()))
  return {thread, grow, scrollTo, end}
}

/** Whether the view goes along with the next words. */
function follows({thread, grow, end}: ReturnType<typeof openThread>): boolean {
  const before = thread.scrollTop
  grow()
  expect([before, end()]).toContain(thread.scrollTop)
  return thread.scrollTop === end()
}

const button = () => screen.queryByRole('button', {name: 'Jump to the latest message'})

const drag = (thread: Element, by: number) => {
  fireEvent.touchStart(thread, {touches: [{clientY: 100}]})
  fireEvent.touchMove(thread, {touches: [{clientY: 100 + by}]})
}
const select = () => {
  onTestFinished(() => document.getSelection()?.removeAllRanges())
  const row = screen.getByText('foo bar')
  act(() => {
    document.getSelection()?.selectAllChildren(row)
    document.dispatchEvent(new Event('selectionchange'))
  })
}

const upward: Record<string, (thread: Element) => void> = {
  'the wheel': (thread) => fireEvent.wheel(thread, {deltaY: -10}),
  'Page Up': (thread) => fireEvent.keyDown(thread, {key: 'PageUp'}),
  Home: (thread) => fireEvent.keyDown(thread, {key: 'Home'}),
  'the arrow up': (thread) => fireEvent.keyDown(thread, {key: 'ArrowUp'}),
  'Shift and the space bar': (thread) => fireEvent.keyDown(thread, {key: ' ', shiftKey: true}),
  'a finger': (thread) => drag(thread, 20),
  'selected text': select,
}

test.each(Object.entries(upward))('%s stops following at once; the button leads back', (_name, go) => {
  const view = openThread()
  expect(follows(view)).toBe(true)
  go(view.thread)
  expect(button()).toBeNull()
  expect(follows(view)).toBe(false)
  fireEvent.click(button() ?? view.thread)
  expect(view.thread.scrollTop).toBe(view.end())
  expect(button()).toBeNull()
  expect(follows(view)).toBe(true)
})

test('the button gives the focus to the message field; on touch that would bring up the keyboard', () => {
  const focusField = vi.fn()
  const press = () => {
    const view = openThread(2_000, focusField)
    fireEvent.keyDown(view.thread, {key: 'Home'})
    view.scrollTo(0)
    fireEvent.click(screen.getByRole('button', {name: 'Jump to the latest message'}))
    cleanup()
  }
  press()
  expect(focusField).toHaveBeenCalledOnce()
  vi.stubGlobal('matchMedia', (query: string) => ({matches: query === coarsePointer}))
  press()
  expect(focusField).toHaveBeenCalledOnce()
})

const elsewhere: Record<string, (thread: Element) => void> = {
  'the wheel down': (thread) => fireEvent.wheel(thread, {deltaY: 10}),
  'Page Down': (thread) => fireEvent.keyDown(thread, {key: 'PageDown'}),
  'the space bar': (thread) => fireEvent.keyDown(thread, {key: ' '}),
  'a finger that goes up': (thread) => drag(thread, -20),
  'a finger that rests': (thread) => drag(thread, 3),
}

test.each(Object.entries(elsewhere))('%s goes on following', (_name, go) => {
  const view = openThread()
  go(view.thread)
  expect(follows(view)).toBe(true)
})

test.each(Object.entries(upward))('where all is in sight, %s goes on following', (_name, go) => {
  const view = openThread(300)
  go(view.thread)
  expect(follows(view)).toBe(true)
})

test('a reader who scrolls back to the end, as by End, is kept there again; half-way is not enough', () => {
  const view = openThread()
  fireEvent.keyDown(view.thread, {key: 'Home'})
  view.scrollTo(0)
  expect(button()).not.toBeNull()
  view.scrollTo(view.end() - 81)
  expect(follows(view)).toBe(false)
  fireEvent.keyDown(view.thread, {key: 'End'})
  view.scrollTo(view.end())
  expect(button()).toBeNull()
  expect(follows(view)).toBe(true)
})

test('an editor that gets files stops following until it goes', () => {
  const view = openThread()
  const editor = view.thread.appendChild(document.createElement('form'))
  const field = editor.appendChild(document.createElement('textarea'))
  fireEvent.click(field)
  expect(follows(view)).toBe(true)
  fireEvent.change(field.parentElement?.appendChild(document.createElement('input')) ?? field)
  expect(follows(view)).toBe(false)
  editor.remove()
  expect(follows(view)).toBe(true)
})

test('versions that are paged through stop following while other messages follow them', () => {
  const view = openThread()
  const addRow = (index: number) => {
    const row = view.thread.appendChild(document.createElement('div'))
    row.dataset.row = String(index)
    return row
  }
  const versions = addRow(0).appendChild(document.createElement('div'))
  versions.dataset.versions = ''
  fireEvent.click(versions)
  expect(follows(view)).toBe(true)
  const next = addRow(1)
  expect(follows(view)).toBe(false)
  next.remove()
  expect(follows(view)).toBe(true)
})

describe('Page Up and Page Down', () => {
  /** The message field, which has the focus when a question is sent. `height`: of its text, of which it shows 100. */
  function openField(height: number) {
    renderView(
      <form data-composer>
        <textarea aria-label={`${height}`} />
      </form>,
    )
    const field = screen.getByRole('textbox', {name: `${height}`})
    Object.defineProperties(field, {clientHeight: {value: 100}, scrollHeight: {value: height}})
    return field
  }

  test('in a message field that shows all of its text they scroll the thread', () => {
    const view = openThread()
    const field = openField(100)
    expect(fireEvent.keyDown(field, {key: 'PageUp'})).toBe(false)
    expect(view.thread.scrollTop).toBe(view.end() - 350)
    expect(follows(view)).toBe(false)
    view.scrollTo(view.end() - 350)
    fireEvent.keyDown(field, {key: 'PageDown'})
    view.scrollTo(view.thread.scrollTop)
    expect(follows(view)).toBe(true)
  })

  test('where nothing has the focus, the browser scrolls the list that was pressed last', () => {
    const view = openThread()
    expect(fireEvent.keyDown(document.body, {key: 'PageUp'})).toBe(true)
    expect(view.thread.scrollTop).toBe(view.end())
  })

  test('where all of the thread is in sight they move the caret of the field', () => {
    openThread(300)
    expect(fireEvent.keyDown(openField(100), {key: 'PageUp'})).toBe(true)
  })

  test('of several threads they scroll the one whose column the pointer is in, else the first one in reach', () => {
    const columns = ['out of reach', 'first', 'second']
    renderView(
      <>
        {columns.map((name) => (
          <section key={name} aria-label={name} inert={name === 'out of reach'}>
            <ThreadView rows={[<p key="row">{name}</p>]} busy={false} announcement="" focusField={() => {}} />
          </section>
        ))}
      </>,
    )
    const threads = screen.getAllByRole('log', {hidden: true})
    for (const thread of threads) {
      Object.defineProperties(thread, {clientHeight: {value: visible}, scrollHeight: {value: 2_000}})
      thread.scrollTop = 1_600
    }
    const field = openField(100)
    const tops = () => threads.map(({scrollTop}) => scrollTop)
    fireEvent.keyDown(field, {key: 'PageUp'})
    expect(tops()).toEqual([1_600, 1_250, 1_600])
    const column = screen.getByRole('region', {name: 'second'})
    vi.spyOn(column, 'matches').mockImplementation((selector) => selector === ':hover')
    fireEvent.keyDown(field, {key: 'PageUp'})
    expect(tops()).toEqual([1_600, 1_250, 1_250])
  })

  test('they are left to a field that scrolls, to its selection, to an input method and to a list over it', () => {
    const view = openThread()
    const pages = (field: HTMLElement, init?: KeyboardEventInit) => {
      expect(fireEvent.keyDown(field, {key: 'PageUp', ...init})).toBe(true)
      expect(view.thread.scrollTop).toBe(view.end())
    }
    pages(openField(101))
    const field = openField(100)
    pages(field, {shiftKey: true})
    pages(field, {ctrlKey: true})
    pages(field, {isComposing: true})
    field.addEventListener('keydown', (event) => event.preventDefault())
    fireEvent.keyDown(field, {key: 'PageUp'})
    expect(view.thread.scrollTop).toBe(view.end())
  })
})

test('Home leads to the begin at once; with Alt, or in a field, it is the browser’s', () => {
  const {thread, end} = openThread()
  const field = thread.appendChild(document.createElement('textarea'))
  expect(fireEvent.keyDown(field, {key: 'Home'})).toBe(true)
  expect(fireEvent.keyDown(thread, {key: 'Home', altKey: true})).toBe(true)
  expect(thread.scrollTop).toBe(end())
  const message = thread.appendChild(document.createElement('article'))
  for (const target of [thread, message]) {
    thread.scrollTop = end()
    expect(fireEvent.keyDown(target, {key: 'Home'})).toBe(false)
    expect(thread.scrollTop).toBe(0)
  }
})

test('the scroll bar stops following; a view that moves by itself does not', () => {
  const view = openThread()
  view.scrollTo(view.end())
  view.scrollTo(view.end() - 10)
  expect(follows(view)).toBe(true)
  view.scrollTo(view.end())
  fireEvent.pointerDown(view.thread)
  view.scrollTo(view.end() - 10)
  fireEvent.pointerUp(document)
  expect(follows(view)).toBe(false)
})

test('text is followed before its frame, without word of a new size', async () => {
  const {thread, grow, end} = openThread()
  sizes.clear()
  grow()
  expect(thread.scrollTop).toBeLessThan(end())
  screen.getByText('foo bar').append(' and more')
  await waitFor(() => expect(thread.scrollTop).toBe(end()))
})
