import {describeError} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Timers} from '../providers/timers.ts'

/** A turn is a handful of statements of the database, each with a bound of its own; who waits longer stops without it. */
export const turnGraceMilliseconds = 3_000

/** Work that comes round: never twice at once, and a failed turn is logged and followed by the next. */
export type Turns = {
  every: (milliseconds: number, what: string, work: () => Promise<unknown>) => void
  /** No turn begins any more. Waits for those under way, so that the database may close after it; not for ever. */
  stop: () => Promise<void>
}

export function createTurns({timers, log}: {timers: Timers; log: Log}): Turns {
  const stops: (() => void)[] = []
  /** Turns under way, and what they are. */
  const underWay = new Map<Promise<void>, string>()
  return {
    every: (milliseconds, what, work) => {
      let current: Promise<void> | undefined
      stops.push(
        timers.every(milliseconds, () => {
          if (current !== undefined) return
          const turn = work()
            .catch((error: unknown) => log.warn(`${what} failed`, describeError(error)))
            .then(() => {
              current = undefined
              underWay.delete(turn)
            })
          current = turn
          underWay.set(turn, what)
        }),
      )
    },
    stop: async () => {
      for (const stop of stops.splice(0)) stop()
      if (underWay.size === 0) return
      let cancel: () => void = () => undefined
      const deadline = new Promise<void>((resolve) => {
        cancel = timers.after(turnGraceMilliseconds, resolve)
      })
      await Promise.race([Promise.all(underWay.keys()), deadline])
      cancel()
      for (const what of underWay.values()) log.warn(`${what} has not ended; stopping without it`)
    },
  }
}
