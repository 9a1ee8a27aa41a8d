import {describeError} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Timers} from '../providers/timers.ts'
import {waitAtMost} from './races.ts'

/** One execution is a handful of statements, each with its own timeout; a stop waits no longer than this. */
export const stopGraceMilliseconds = 3_000

/** Runs jobs at an interval. Executions of one job never overlap; a failed one is logged, and the next follows. */
export type PeriodicJobs = {
  every: (milliseconds: number, what: string, work: () => Promise<unknown>) => void
  /** Starts no more and waits for executions under way, within the grace, so that the database may close after it. */
  stop: () => Promise<void>
}

export function createPeriodicJobs({timers, log}: {timers: Timers; log: Log}): PeriodicJobs {
  const cancellations: (() => void)[] = []
  /** Executions under way, each with the name of its job. */
  const underWay = new Map<Promise<void>, string>()
  return {
    every: (milliseconds, what, work) => {
      let current: Promise<void> | undefined
      cancellations.push(
        timers.every(milliseconds, () => {
          if (current !== undefined) return
          const execution = work()
            .catch((error: unknown) => log.warn(`${what} failed`, describeError(error)))
            .then(() => {
              current = undefined
              underWay.delete(execution)
            })
          current = execution
          underWay.set(execution, what)
        }),
      )
    },
    stop: async () => {
      for (const cancel of cancellations.splice(0)) cancel()
      if (underWay.size === 0) return
      await waitAtMost(timers, stopGraceMilliseconds, Promise.all(underWay.keys()))
      for (const what of underWay.values()) log.warn(`${what} has not ended; stopping without it`)
    },
  }
}
