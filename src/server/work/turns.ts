import {describeError} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Timers} from '../providers/timers.ts'

/** Work that comes round: never twice at once, and a failed turn is logged and followed by the next. */
export type Turns = {
  every: (milliseconds: number, what: string, work: () => Promise<void>) => void
  stop: () => void
}

export function createTurns({timers, log}: {timers: Timers; log: Log}): Turns {
  const stops: (() => void)[] = []
  return {
    every: (milliseconds, what, work) => {
      let isBusy = false
      stops.push(
        timers.every(milliseconds, () => {
          if (isBusy) return
          isBusy = true
          work()
            .catch((error: unknown) => log.warn(`${what} failed`, describeError(error)))
            .finally(() => {
              isBusy = false
            })
        }),
      )
    },
    stop: () => {
      for (const stop of stops.splice(0)) stop()
    },
  }
}
