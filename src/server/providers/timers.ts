/** Waiting, injectable so that no test waits (security R76). Both return the way to stop. Milliseconds. */
export type Timers = {
  after: (milliseconds: number, run: () => void) => () => void
  every: (milliseconds: number, run: () => void) => () => void
}

/** Timers of Node that never keep the process alive. */
export const realTimers: Timers = {
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds).unref()
    return () => clearTimeout(timer)
  },
  every: (milliseconds, run) => {
    const timer = setInterval(run, milliseconds).unref()
    return () => clearInterval(timer)
  },
}
