import {useEffect, useState, type RefObject} from 'react'

/** Boxes that are measured again when their message becomes wider or narrower. */
type WidthWatch = {measures: Set<() => void>; observer: ResizeObserver}
const watches = new Map<Element, WidthWatch>()

function startWatch(message: Element): WidthWatch {
  let width: number | undefined
  const measures = new Set<() => void>()
  const observer = new ResizeObserver(([entry]) => {
    if (entry === undefined || entry.contentRect.width === width) return
    width = entry.contentRect.width
    for (const measure of measures) measure()
  })
  observer.observe(message)
  const watch = {measures, observer}
  watches.set(message, watch)
  return watch
}

/** @returns what ends it */
function watchWidth(box: Element, measure: () => void): () => void {
  const message = box.closest('[data-words]') ?? box
  const {measures, observer} = watches.get(message) ?? startWatch(message)
  measures.add(measure)
  return () => {
    measures.delete(measure)
    if (measures.size > 0) return
    observer.disconnect()
    watches.delete(message)
  }
}

type ScrollsOptions = {
  /** Its content changes its own size with its text; that of code does not. */
  isSized: boolean
  /** A box whose text stands is measured when this changes; one whose text grows, with each of its lines. */
  stands?: string | undefined
}

/**
 * Whether the content of an element is wider than its box: only then is it a stop of Tab. In each frame the browser
 * looks at each element that is observed, so the message is observed, not all boxes in it.
 */
export function useScrolls(ref: RefObject<HTMLElement | null>, {isSized, stands}: ScrollsOptions): boolean {
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = ref.current
    const observed = isSized ? element?.firstElementChild : element
    if (element === null || !observed) return
    const measure = () => setScrolls(element.scrollWidth > element.clientWidth)
    const observer = new ResizeObserver(() => {
      measure()
      if (stands !== undefined) observer.disconnect()
    })
    observer.observe(observed)
    const endWatch = watchWidth(element, measure)
    return () => {
      endWatch()
      observer.disconnect()
    }
  }, [ref, isSized, stands])
  return scrolls
}
