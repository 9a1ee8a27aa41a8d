import {searchWords} from '#domain/search-words.ts'
import {bringIntoView, isMeasured, mark, measuredWithin} from './marks.ts'
import {textRanges} from './text-ranges.ts'

const isBefore = (one: Range, other: Range) => one.compareBoundaryPoints(Range.START_TO_START, other) < 0

/** Marks the words of a search in a row, and brings the first of them into view. Returns the end of it; so does any press. */
export function markWords(row: HTMLElement, scroller: HTMLElement, query: string): () => void {
  const words = searchWords(query)
  const listening = new AbortController()
  let first: Range | undefined
  let frame = 0
  const paint = () => {
    const ranges = words.flatMap((word) => textRanges(row, word))
    first = ranges.reduce<Range | undefined>((one, other) => (one && isBefore(one, other) ? one : other), undefined)
    mark('found', ranges)
  }
  const follow = (frames: number) => {
    // those above it are measured meanwhile, which moves it
    if (first !== undefined && isMeasured(row)) bringIntoView(first, scroller)
    if (frames > 0) frame = requestAnimationFrame(() => follow(frames - 1))
  }
  // the row grows: its Markdown is loaded, its code coloured
  const observer = new MutationObserver(paint)
  const stop = () => cancelAnimationFrame(frame)
  const end = () => {
    stop()
    listening.abort()
    observer.disconnect()
    mark('found', [])
  }
  paint()
  follow(measuredWithin)
  observer.observe(row, {childList: true, subtree: true, characterData: true})
  const {signal} = listening
  for (const press of ['keydown', 'pointerdown']) addEventListener(press, end, {capture: true, signal})
  // the user's own scrolling goes before ours
  for (const own of ['wheel', 'touchmove']) scroller.addEventListener(own, stop, {passive: true, signal})
  return end
}
