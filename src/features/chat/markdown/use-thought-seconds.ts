import {useEffect, useRef, useState} from 'react'

type Span = {from: number; to?: number}

/** Spans of thoughts that this page saw begin, in milliseconds of its clock; forgotten with the page. */
const spans = new Map<string, Span>()
const mostSpans = 200

function begin(key: string): void {
  spans.set(key, {from: performance.now()})
  const [oldest] = spans.keys()
  if (spans.size > mostSpans && oldest !== undefined) spans.delete(oldest)
}

/**
 * Seconds that a thought takes, counted each second while it grows, or took. `undefined`: this page did not see both its
 * begin and its end. `isNew`: so little of it is there that it has just begun.
 */
export function useThoughtSeconds(key: string | undefined, growing: boolean, isNew: boolean): number | undefined {
  const [now, setNow] = useState<number>()
  const wasGrowing = useRef(false)
  useEffect(() => {
    if (key === undefined) return
    const span = spans.get(key)
    if (!growing) {
      if (wasGrowing.current && span !== undefined) span.to ??= performance.now()
      wasGrowing.current = false
      return
    }
    wasGrowing.current = true
    if (span === undefined && !isNew) return
    if (span === undefined) begin(key)
    const tick = () => setNow(performance.now())
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [key, growing, isNew])
  const span = key === undefined ? undefined : spans.get(key)
  // the last tick, until the effect stores the end
  const end = span?.to ?? now
  return span === undefined || end === undefined ? undefined : (end - span.from) / 1_000
}
