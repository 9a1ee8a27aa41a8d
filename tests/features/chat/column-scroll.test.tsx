import {act, fireEvent, render, screen} from '@testing-library/react'
import {useRef} from 'react'
import {beforeEach, expect, test, vi} from 'vitest'
import {useColumnScroll, type ColumnScrolls} from '#features/chat/compare/use-column-scroll.ts'

/* The sideways scroll of a comparison is kept for the way back to it. A column is 100 px wide. */

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 100, 10))
  return () => vi.restoreAllMocks()
})

function Row({names, scrolls}: {names: readonly string[]; scrolls: ColumnScrolls}) {
  const row = useRef<HTMLDivElement>(null)
  const columns = names.map((name) => ({name, phase: 'finished' as const}))
  const {noteScroll} = useColumnScroll(row, columns, scrolls)
  return (
    <div ref={row} data-testid="row" onScroll={noteScroll}>
      {names.map((name) => (
        <i key={name} />
      ))}
    </div>
  )
}

function show(stored?: number) {
  const scrolls = {read: vi.fn(() => stored), keep: vi.fn(), rename: vi.fn()}
  const {rerender, unmount} = render(<Row names={['k-1', 'k-2']} scrolls={scrolls} />)
  const row = screen.getByTestId('row')
  scrolls.read.mockClear()
  return {
    row,
    scrolls,
    unmount,
    rename: (...names: string[]) => rerender(<Row names={names} scrolls={scrolls} />),
    scroll: (...pixels: number[]) => {
      for (const each of pixels) {
        row.scrollLeft = each
        fireEvent.scroll(row)
      }
    },
  }
}

/** A browser that says when scrolling ended. */
const saysEnd = () => {
  Object.assign(window, {onscrollend: null})
  return () => Reflect.deleteProperty(window, 'onscrollend')
}

test('the scroll is stored once it ended, and nothing is read on the way', () => {
  const forget = saysEnd()
  const {row, scrolls, scroll} = show()
  scroll(10, 60, 110, 150)
  expect(scrolls.keep).not.toHaveBeenCalled()
  fireEvent(row, new Event('scrollend'))
  expect(scrolls.keep.mock.calls).toEqual([[['k-1', 'k-2'], 1.5]])
  expect(scrolls.read).not.toHaveBeenCalled()
  forget()
})

test('where the browser does not say that scrolling ended, a short pause does', () => {
  vi.useFakeTimers()
  const {scrolls, scroll} = show()
  scroll(10, 60)
  vi.advanceTimersByTime(100)
  scroll(100)
  vi.advanceTimersByTime(100)
  expect(scrolls.keep).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(scrolls.keep.mock.calls).toEqual([[['k-1', 'k-2'], 1]])
  vi.useRealTimers()
})

test('leaving while it scrolls stores it: the screen, and the page', () => {
  const {scrolls, scroll, unmount} = show()
  scroll(60)
  act(() => void window.dispatchEvent(new Event('pagehide')))
  scroll(70)
  const isHidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  fireEvent(document, new Event('visibilitychange'))
  isHidden.mockReturnValue('visible')
  scroll(80)
  fireEvent(document, new Event('visibilitychange'))
  unmount()
  expect(scrolls.keep.mock.calls.map(([, columns]) => columns as number)).toEqual([0.6, 0.7, 0.8])
})

test('columns that were not scrolled are stored by nothing', () => {
  const {scrolls, unmount} = show()
  act(() => void window.dispatchEvent(new Event('pagehide')))
  unmount()
  expect(scrolls.keep).not.toHaveBeenCalled()
})

test('conversations that get their ids take the scroll along, and are not moved under the hand', () => {
  const {row, scrolls, scroll, rename} = show(1)
  expect(row.scrollLeft).toBe(100)
  scroll(60)
  rename('c-1', 'k-2')
  expect(scrolls.rename.mock.calls).toEqual([
    [
      ['k-1', 'k-2'],
      ['c-1', 'k-2'],
    ],
  ])
  expect(row.scrollLeft).toBe(60)
})
