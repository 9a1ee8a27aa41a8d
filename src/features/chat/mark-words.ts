import {searchWords} from '#domain/search-words.ts'
import {keepInView, mark} from './text-marks.ts'
import {textRanges} from './text-ranges.ts'
import {watchRows} from './watch-rows.ts'

const isBefore = (one: Range, other: Range) => one.compareBoundaryPoints(Range.START_TO_START, other) < 0

/** Marks the words of a search in a row, and shows the first. Returns the end of it; so does any press. */
export function markWords(row: HTMLElement, scroller: HTMLElement, query: string): () => void {
  const words = searchWords(query)
  const listening = new AbortController()
  let first: Range | undefined
  const paint = () => {
    const ranges = words.flatMap((word) => textRanges(row, word))
    first = ranges.reduce<Range | undefined>((one, other) => (one && isBefore(one, other) ? one : other), undefined)
    mark('found', ranges)
  }
  // the row grows: its Markdown is loaded, its code coloured
  const watch = watchRows([row], paint)
  paint()
  const stop = keepInView(scroller, () => {
    watch.flush()
    return first && {row, target: first}
  })
  const end = () => {
    // what is marked since is of the field that finds words
    if (listening.signal.aborted) return
    stop()
    listening.abort()
    watch.end()
    mark('found', [])
  }
  for (const press of ['keydown', 'pointerdown'])
    addEventListener(press, end, {capture: true, signal: listening.signal})
  return end
}
