import {useLayoutEffect, useRef, type RefObject} from 'react'
import type {Column} from '#machines/compare/compare.types.ts'

/** Remembers how many columns are scrolled out of view, for the way back to them. */
export type ColumnScrolls = {
  read: (names: readonly string[]) => number | undefined
  keep: (names: readonly string[], columns: number) => void
  /** Some of the conversations have got their names from the server. */
  rename: (before: readonly string[], names: readonly string[]) => void
}

const widthOfColumn = (row: HTMLElement | null) => row?.firstElementChild?.getBoundingClientRect().width ?? 0

/** How many columns are out of view before the first one in it; undefined while they have no room. */
function scrollIn(row: HTMLElement | null): number | undefined {
  const width = widthOfColumn(row)
  // negative where the page reads from right to left
  return row === null || width === 0 ? undefined : Math.round((Math.abs(row.scrollLeft) / width) * 100) / 100
}

function bringTo(row: HTMLElement, scroll: number) {
  const {direction} = getComputedStyle(row)
  row.scrollLeft = scroll * widthOfColumn(row) * (direction === 'rtl' ? -1 : 1)
}

/** Without a word of the browser (Safari before 26.2) scrolling has ended after so many milliseconds. */
const pause = 150

/** Calls back when scrolling has ended, and when the page is left: it may not come back. */
function onRest(row: HTMLElement, rest: () => void, signal: AbortSignal) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(rest, pause)
  }
  if ('onscrollend' in window) row.addEventListener('scrollend', rest, {signal})
  else row.addEventListener('scroll', wait, {passive: true, signal})
  addEventListener('pagehide', rest, {signal})
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && rest(), {signal})
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/**
 * Brings the columns to where they stood when this comparison was left. `readFirstColumn`: the first column in view
 * then. `noteScroll` says where they stand; it is stored when they rest.
 */
export function useColumnScroll(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column[],
  scrolls: ColumnScrolls,
) {
  const comparison = columns.map(({name, id}) => id ?? name).join('\n')
  const namesBefore = useRef<readonly string[]>(undefined)
  const lastScroll = useRef<number>(undefined)
  const readFirstColumn = () => Math.min(Math.round(scrolls.read(comparison.split('\n')) ?? 0), columns.length - 1)
  const noteScroll = () => {
    const scroll = scrollIn(scroller.current)
    lastScroll.current = scroll ?? lastScroll.current
    return scroll
  }
  useLayoutEffect(() => {
    const row = scroller.current
    if (row === null) return
    const names = comparison.split('\n')
    if (namesBefore.current !== undefined) scrolls.rename(namesBefore.current, names)
    namesBefore.current = names
    const storedScroll = lastScroll.current === undefined ? scrolls.read(names) : undefined
    if (storedScroll !== undefined) bringTo(row, storedScroll)
    const store = () => {
      if (lastScroll.current !== undefined) scrolls.keep(names, lastScroll.current)
    }
    const listening = new AbortController()
    onRest(row, store, listening.signal)
    return () => {
      listening.abort()
      store()
    }
  }, [scroller, scrolls, comparison])
  return {readFirstColumn, noteScroll}
}
