import {unfoldMatch} from './unfold-text.ts'

/** Frames in which a windowed list measures a new row at most. */
export const measuredWithin = 60
/** Distance of a match from the ends of the view, in CSS pixels, at which nothing needs to move. */
const comfort = 72

/** Older browsers have no highlights: the row of the match is brought into view all the same. */
const highlights = () => (typeof CSS === 'object' && 'highlights' in CSS ? CSS.highlights : undefined)

type Marks = {add: (range: Range) => unknown; delete: (range: Range) => boolean; clear: () => void}

/** The ranges that have a look of `thread.module.css`. */
export function markedRanges(name: 'found' | 'found-now'): Marks {
  const all = highlights()
  if (all === undefined) return new Set<Range>()
  const ranges = all.get(name) ?? new Highlight()
  all.set(name, ranges)
  return ranges
}

/** Gives ranges of the page a look, and takes it from all others. */
export function mark(name: 'found' | 'found-now', ranges: readonly Range[]): void {
  const marks = markedRanges(name)
  marks.clear()
  for (const range of ranges) marks.add(range)
}

function bringIntoView(target: Range | Element, scroller: HTMLElement): void {
  const {top, bottom} = target.getBoundingClientRect()
  const view = scroller.getBoundingClientRect()
  if (top >= view.top + comfort && bottom <= view.bottom - comfort) return
  scroller.scrollTop += top - view.top - view.height / 3
}

/** A new row of a windowed list is hidden until it is measured. */
const isMeasured = (row: Element) => getComputedStyle(row).visibility === 'visible'

type MarkedPosition = {row: Element; target: Range | Element}

/**
 * Brings what `find` returns into view, and again as long as the rows above it are measured, which moves it. The user's
 * own scrolling goes before ours. Returns what ends it.
 */
export function keepInView(scroller: HTMLElement, find: () => MarkedPosition | undefined): () => void {
  const scrolling = new AbortController()
  const {signal} = scrolling
  const end = () => scrolling.abort()
  const follow = (frames: number) => {
    if (signal.aborted) return
    const position = find()
    if (position !== undefined && isMeasured(position.row)) {
      if (position.target instanceof Range) unfoldMatch(position.target)
      bringIntoView(position.target, scroller)
    }
    if (frames > 0) requestAnimationFrame(() => follow(frames - 1))
  }
  follow(measuredWithin)
  for (const own of ['wheel', 'touchmove']) scroller.addEventListener(own, end, {passive: true, signal})
  return end
}
