import type {Timers} from './timers.ts'

/** Waits, unless `signal` aborts: then its reason is thrown at once. */
export const pause = (timers: Timers, milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      cancel()
      reject(signal.reason as Error) // the reason is ours and read from the signal
    }
    const cancel = timers.after(milliseconds, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, {once: true})
  })
