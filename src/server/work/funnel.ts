/** Joins what several producers make into one sequence. A producer waits until its value was taken. */
export type Funnel<T> = {
  put: (value: T) => Promise<void>
  /** Whoever takes next gets this error. */
  fail: (error: unknown) => void
  /** The next value, or `undefined` once `signal` has aborted. */
  take: (signal: AbortSignal) => Promise<T | undefined>
}

export function createFunnel<T>(): Funnel<T> {
  const waiting: {value: T; taken: () => void}[] = []
  let failure: {error: unknown} | undefined
  let wake: () => void = () => undefined
  return {
    put: (value) =>
      new Promise((taken) => {
        waiting.push({value, taken})
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
        await new Promise<void>((resolve) => {
          const done = () => {
            signal.removeEventListener('abort', done)
            resolve()
          }
          wake = done
          signal.addEventListener('abort', done, {once: true})
        })
      }
    },
  }
}
