import {createStoredText} from '#browser/stored-text.ts'
import {openStorage} from '#browser/storage.ts'
import {z} from '#contract/schema.ts'

type Span = {from: number; to?: number}

/** Spans of thoughts that this page saw begin, in milliseconds of its clock. */
const spans = new Map<string, Span>()
const mostSpans = 200

/** Seconds of thoughts that this tab saw begin and end, by their answer: they outlive a reload. */
const storedTimes = createStoredText(openStorage('sessionStorage'), 'atrium.thoughts')
const storedShape = z.record(z.string(), z.number())

function readStoredTimes(): Record<string, number> {
  try {
    const parsing = storedShape.safeParse(JSON.parse(storedTimes.read() ?? '{}'))
    return parsing.success ? parsing.data : {}
  } catch {
    // not JSON: another script wrote it
    return {}
  }
}

function storeTime(key: string, seconds: number): void {
  const others = Object.entries(readStoredTimes()).filter(([name]) => name !== key)
  const newest = [...others, [key, seconds] as const].slice(-mostSpans)
  storedTimes.write(JSON.stringify(Object.fromEntries(newest)))
}

/** Starts the time of a thought, unless it runs or has ended. */
export function beginThought(key: string): void {
  if (spans.has(key)) return
  spans.set(key, {from: performance.now()})
  const [oldest] = spans.keys()
  if (spans.size > mostSpans && oldest !== undefined) spans.delete(oldest)
}

/** Ends the time of a thought and stores it, if this page saw the thought begin. */
export function endThought(key: string): void {
  const span = spans.get(key)
  if (span === undefined || span.to !== undefined) return
  span.to = performance.now()
  storeTime(key, (span.to - span.from) / 1_000)
}

/** Whether this page saw the thought begin. */
export const hasSpan = (key: string): boolean => spans.has(key)

/** Seconds from the begin of a thought to its end, or to `now` while it runs; `undefined` without both. */
export function spanSeconds(key: string, now: number | undefined): number | undefined {
  const span = spans.get(key)
  const end = span?.to ?? now
  return span === undefined || end === undefined ? undefined : (end - span.from) / 1_000
}

/** Seconds of a thought that ended in an earlier page of this tab. */
export const storedSeconds = (key: string): number | undefined => readStoredTimes()[key]
