import {useLayoutEffect, type RefObject} from 'react'
import type {Column} from '#machines/compare/compare.types.ts'

/** Remembers how many columns are scrolled out of view, for the way back to them. */
export type ColumnScrolls = {
  read: (names: readonly string[]) => number | undefined
  keep: (names: readonly string[], columns: number) => void
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

/**
 * Brings the columns to where they stood when this comparison was left. `first`: the first column in view then; `keep`
 * says where they stand, and remembers it.
 */
export function useColumnScroll(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column[],
  scrolls: ColumnScrolls,
) {
  const names = columns.map(({name, id}) => id ?? name)
  const comparison = names.join('\n')
  const first = () => Math.min(Math.round(scrolls.read(names) ?? 0), columns.length - 1)
  const keep = () => {
    const scroll = scrollIn(scroller.current)
    if (scroll !== undefined && scroll !== scrolls.read(names)) scrolls.keep(names, scroll)
    return scroll
  }
  useLayoutEffect(() => {
    const row = scroller.current
    if (row === null) return
    const [ownNames, scroll] = [comparison.split('\n'), scrollIn(row) ?? 0]
    const leftScroll = scrolls.read(ownNames)
    if (leftScroll !== undefined) bringTo(row, leftScroll)
    // its conversations have their names from the server now
    else if (scroll > 0) scrolls.keep(ownNames, scroll)
  }, [scroller, scrolls, comparison])
  return {first, keep}
}
