import {useEffect, useRef, useState} from 'react'
import {createStoredText} from '#browser/stored-text.ts'
import {openStorage} from '#browser/storage.ts'
import {z} from '#contract/schema.ts'

type Span = {from: number; to?: number}

/** Spans of thoughts that this page saw begin, in milliseconds of its clock. */
const spans = new Map<string, Span>()
const mostSpans = 200

function begin(key: string): void {
  spans.set(key, {from: performance.now()})
  const [oldest] = spans.keys()
  if (spans.size > mostSpans && oldest !== undefined) spans.delete(oldest)
}

/** Seconds of thoughts that this tab saw begin and end, by their answer: they outlive a reload. */
const storedTimes = createStoredText(openStorage('sessionStorage'), 'atrium.thoughts')
const keptShape = z.record(z.string(), z.number())

function readKept(): Record<string, number> {
  try {
    const parsing = keptShape.safeParse(JSON.parse(storedTimes.read() ?? '{}'))
    return parsing.success ? parsing.data : {}
  } catch {
    // not JSON: another script wrote it
    return {}
  }
}

function keep(key: string, {from, to}: Span): void {
  if (to === undefined) return
  const others = Object.entries(readKept()).filter(([name]) => name !== key)
  const newest = [...others, [key, (to - from) / 1_000] as const].slice(-mostSpans)
  storedTimes.write(JSON.stringify(Object.fromEntries(newest)))
}

/**
 * Seconds that a thought takes, counted each second while it grows, or took. `undefined`: this tab did not see both its
 * begin and its end. `isNew`: so little of it is there that it has just begun.
 */
export function useThoughtSeconds(key: string | undefined, growing: boolean, isNew: boolean): number | undefined {
  const [now, setNow] = useState<number>()
  const [before] = useState(() => (growing || key === undefined ? undefined : readKept()[key]))
  const wasGrowing = useRef(false)
  useEffect(() => {
    if (key === undefined) return
    const span = spans.get(key)
    if (!growing) {
      if (wasGrowing.current && span !== undefined && span.to === undefined) {
        span.to = performance.now()
        keep(key, span)
      }
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
  return span === undefined || end === undefined ? before : (end - span.from) / 1_000
}
