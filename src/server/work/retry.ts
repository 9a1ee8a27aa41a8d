import {describeError} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Timers} from '../providers/timers.ts'

const attempts = 60
const pauseMilliseconds = 1_000

/** Retries failed work every second, for a minute: the end of a run is worth waiting for a database that comes back. */
export async function retryForAMinute<T>(
  {timers, log}: {timers: Timers; log: Log},
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= attempts) throw error
      log.warn(`${what} failed`, {attempt, ...describeError(error)})
      await new Promise<void>((resolve) => void timers.after(pauseMilliseconds, resolve))
    }
  }
}
