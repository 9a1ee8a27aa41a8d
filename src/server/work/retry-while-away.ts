import {isStoreTrouble} from '../files/file-store.ts'
import {describeError, isDatabaseAway} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Timers} from '../providers/timers.ts'
import {pause} from './races.ts'

const firstPause = 1_000
const longestPause = 30_000

/**
 * Retries work that needs the file store or the database until they answer and have room, or `signal` aborts. The
 * results of a provider are paid for: an outage must not lose them. A failed attempt may have done the work.
 */
export async function whileAway<T>(
  {timers, log}: {timers: Timers; log: Log},
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreTrouble(error) && !isDatabaseAway(error)) throw error
      const cause = isStoreTrouble(error) ? (error.options.cause ?? error) : error
      log.warn('work waits for the store of files or the database', {attempt, ...describeError(cause)})
      await pause(timers, Math.min(longestPause, firstPause * 2 ** attempt), signal)
    }
  }
}
