import {abortOf, firstOf} from './races.ts'

/** Joins what several producers make into one sequence. A producer waits until its value was taken. */
export type Funnel<T> = {
  put: (value: T) => Promise<void>
  /** The next `take` throws this error. */
  fail: (error: unknown) => void
  /** The next value, or `undefined` once `signal` has aborted. */
  take: (signal: AbortSignal) => Promise<T | undefined>
}

export function createFunnel<T>(): Funnel<T> {
  const waiting: {value: T; taken: () => void}[] = []
  let failure: {error: unknown} | undefined
  let wake: () => void = () => undefined
  const woken = (listener: () => void) => {
    wake = listener
    return () => (wake = () => undefined)
  }
  return {
    put: (value) =>
      new Promise((resolve) => {
        waiting.push({value, taken: resolve})
        wake()
      }),
    fail: (error) => {
      failure = {error}
      wake()
    },
    take: async (signal) => {
      for (;;) {
        if (signal.aborted) return undefined
        if (failure !== undefined) throw failure.error
        const first = waiting.shift()
        if (first !== undefined) {
          first.taken()
          return first.value
        }
        await firstOf(woken, abortOf(signal)).done
      }
    },
  }
}
