import type {Timers} from '../providers/timers.ts'

/* Waits that end at the first of several things: an event, a deadline, an abort. */

/** Calls `listener` at its event, never before this call has returned. Returns how to remove the listener. */
export type Source = (listener: () => void) => () => void

export const abortOf =
  (signal: AbortSignal): Source =>
  (listener) => {
    if (signal.aborted) queueMicrotask(listener)
    else signal.addEventListener('abort', listener, {once: true})
    return () => signal.removeEventListener('abort', listener)
  }

/** Begins to listen at once. `done` resolves at the first event or at `cancel`; no listener is left then. */
export function firstOf(...sources: readonly Source[]): {done: Promise<void>; cancel: () => void} {
  let cancel: () => void = () => undefined
  const ending = new Promise<void>((resolve) => {
    const removals = sources.map((source) => source(() => cancel()))
    cancel = () => {
      for (const remove of removals.splice(0)) remove()
      resolve()
    }
  })
  return {done: ending, cancel}
}

/** Waits, unless `signal` aborts: then its reason is thrown at once. */
export async function pause(timers: Timers, milliseconds: number, signal: AbortSignal): Promise<void> {
  await firstOf((listener) => timers.after(milliseconds, listener), abortOf(signal)).done
  signal.throwIfAborted()
}

/** Waits for `work`, but no longer than `milliseconds`. */
export async function waitAtMost(timers: Timers, milliseconds: number, work: Promise<unknown>): Promise<void> {
  const deadline = firstOf((listener) => timers.after(milliseconds, listener))
  try {
    await Promise.race([work, deadline.done])
  } finally {
    deadline.cancel()
  }
}

/**
 * The result of `work`, or the signal's reason at once, whether or not the work notices: a stop must not wait for a
 * provider that does not listen. Errors of the work after the abort are dropped.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const abort = firstOf(abortOf(signal))
  const pending = work()
  pending.catch(() => undefined)
  try {
    return await Promise.race([
      pending,
      abort.done.then(() => {
        signal.throwIfAborted()
        return pending
      }),
    ])
  } finally {
    abort.cancel()
  }
}
