import type {Match} from '#domain/find-text.ts'
import {mark, markedRanges} from './text-marks.ts'
import {textRanges} from './text-ranges.ts'
import {watchRows} from './watch-rows.ts'

export type FoundMatch = Match & {thread: number}

export type FoundMarks = {
  /** Marks one match as the shown one. */
  show: (match: FoundMatch | undefined) => void
  /** Returns its words as they are now, as far as they are rendered. */
  shown: () => Range | undefined
  end: () => void
}

/** Marks a query in the rendered rows of threads: in each row once, and again when it changes. */
export function createFoundMarks(contents: readonly (HTMLElement | null | undefined)[], query: string): FoundMarks {
  const marks = markedRanges('found')
  const rangesByRow = new Map<Element, readonly Range[]>()
  let match: FoundMatch | undefined
  let shownRange: Range | undefined
  const markShown = () => {
    const row = match && contents[match.thread]?.querySelector(`[data-row='${match.row}']`)
    const ranges = (row && rangesByRow.get(row)) ?? []
    shownRange = ranges[Math.min(match?.nth ?? 0, ranges.length - 1)]
    mark('found-now', shownRange === undefined ? [] : [shownRange])
  }
  const paint = (changedRows: ReadonlySet<Element>) => {
    const rows = new Set(contents.flatMap((content) => [...(content?.querySelectorAll('[data-row]') ?? [])]))
    for (const [row, ranges] of rangesByRow) {
      if (rows.has(row) && !changedRows.has(row)) continue
      for (const range of ranges) marks.delete(range)
      rangesByRow.delete(row)
    }
    for (const row of rows) {
      if (rangesByRow.has(row)) continue
      const ranges = textRanges(row, query)
      for (const range of ranges) marks.add(range)
      rangesByRow.set(row, ranges)
    }
    markShown()
  }
  // rows come into a windowed list, and answers grow
  const watch = watchRows(
    contents.filter((content) => content != null),
    paint,
  )
  paint(new Set())
  return {
    show(next) {
      match = next
      markShown()
    },
    shown() {
      watch.flush()
      return shownRange
    },
    end() {
      watch.end()
      marks.clear()
      mark('found-now', [])
    },
  }
}
