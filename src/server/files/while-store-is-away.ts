import {describeError} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Timers} from '../providers/timers.ts'
import {pause} from '../work/races.ts'
import {isStoreTrouble} from './file-store.ts'

const firstPause = 1_000
const longestPause = 30_000

/** Does what needs the store of files as soon as that answers and has room, until `signal` aborts. */
export async function whileStoreIsAway<T>(
  {timers, log}: {timers: Timers; log: Log},
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreTrouble(error)) throw error
      log.warn('a task waits for the store of files', {attempt, ...describeError(error.options.cause ?? error)})
      await pause(timers, Math.min(longestPause, firstPause * 2 ** attempt), signal)
    }
  }
}
