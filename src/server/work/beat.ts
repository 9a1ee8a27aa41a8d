import {performance} from 'node:perf_hooks'
import type {Timers} from '../providers/timers.ts'

/** Calls now what is asked for, or, in a process with little time to spare, all of it together a moment later. */
export type Beat = {
  /** Calls `run` once, however often it was asked for since. */
  next: (run: () => void) => void
}

const measureMilliseconds = 1_000
/** Of its time that a process is busy: below the first it waits for nothing, at the second as long as it ever does. */
const [easy, full] = [0.5, 0.8]
/** Two words at 20 a second; with the wait for its turn a word still comes within 150 ms. */
export const longestBeat = 100

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

export function createBeat({timers, busy = createBusyMeter()}: {timers: Timers; busy?: () => number}): Beat {
  const gathered = new Set<() => void>()
  let milliseconds = 0
  let isMeasured = false

  const measure = () => {
    if (isMeasured) return
    isMeasured = true
    milliseconds = beatOf(busy())
    timers.after(measureMilliseconds, () => (isMeasured = false))
  }

  return {
    next: (run) => {
      measure()
      if (milliseconds === 0) return run()
      if (gathered.size === 0)
        timers.after(milliseconds, () => {
          const runs = [...gathered]
          gathered.clear()
          for (const each of runs) each()
        })
      gathered.add(run)
    },
  }
}
