import {performance} from 'node:perf_hooks'
import type {Timers} from '../providers/timers.ts'

/** Calls now what is asked for, or, in a process with little time to spare, once for all that is asked in a moment. */
export type Beat = {
  /** Calls `run` once, however often it was asked for since. */
  next: (run: () => void) => void
}

const measureMilliseconds = 1_000
/** Shares of time that a process is busy: below the first it waits for nothing, at the second as long as it can. */
const [easy, full] = [0.5, 0.8]
/** Two words at 20 a second; with the wait for its turn a word still comes within 150 ms. */
export const longestBeat = 100
/** A beat is spread: a part of what gathers is called each tenth of it, and sockets are read in between. */
export const beatParts = 10

/** How long what comes is gathered. @param busy share of its time that the process worked */
export const beatOf = (busy: number): number =>
  Math.round(longestBeat * Math.min(1, Math.max(0, (busy - easy) / (full - easy))))

/** The share of its time since the last call that the process worked. */
export function createBusyMeter(): () => number {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const {utilization} = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  }
}

type BeatParts = {
  timers: Timers
  busy?: () => number
  /** In milliseconds, of a clock that only goes on. */
  now?: () => number
}

export function createBeat({timers, busy = createBusyMeter(), now = () => performance.now()}: BeatParts): Beat {
  const waitingParts = Array.from({length: beatParts}, () => new Set<() => void>())
  const parts = new WeakMap<() => void, Set<() => void>>()
  let nextPart = 0
  let waiting = 0
  let part = 0
  let tickedAt = 0
  let milliseconds = 0
  /** Milliseconds of the beat that is under way. */
  let length = 0
  let isMeasured = false

  const measure = () => {
    if (isMeasured) return
    isMeasured = true
    milliseconds = beatOf(busy())
    timers.after(measureMilliseconds, () => (isMeasured = false))
  }

  /** The part that `run` has for good. */
  const partOf = (run: () => void): Set<() => void> => {
    const partOfRun = parts.get(run) ?? waitingParts[nextPart++ % beatParts] ?? new Set()
    parts.set(run, partOfRun)
    return partOfRun
  }

  /** As long as it is now, and as it was while nothing is to wait any more. */
  const tick = () => {
    length = milliseconds || length
    timers.after(length / beatParts, callParts)
  }
  /**
   * A process that is late calls all the parts that are due, so that a beat does not grow with its load; the time
   * beyond the last of them counts for the next.
   */
  const callParts = () => {
    const time = now()
    const due = ((time - tickedAt) * beatParts) / length
    const callCount = Math.max(1, Math.min(beatParts, Math.floor(due)))
    // a timer may also come a little early
    tickedAt = due > beatParts ? time : Math.min(time, tickedAt + (callCount * length) / beatParts)
    const runs: (() => void)[] = []
    for (let remaining = callCount; remaining > 0; remaining -= 1) {
      const own = waitingParts[part++ % beatParts]
      runs.push(...(own ?? []))
      own?.clear()
    }
    waiting -= runs.length
    if (waiting > 0) tick()
    for (const run of runs) run()
  }

  return {
    next: (run) => {
      measure()
      if (milliseconds === 0) return run()
      const own = partOf(run)
      if (own.has(run)) return
      own.add(run)
      if (waiting++ > 0) return
      tickedAt = now()
      tick()
    },
  }
}
