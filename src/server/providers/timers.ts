/** Waiting, injectable so that no test waits (security R76). Milliseconds. */
export type Timers = {
  /** Returns the way to stop. */
  after: (milliseconds: number, run: () => void) => () => void
  /** Returns the way to stop. */
  every: (milliseconds: number, run: () => void) => () => void
  /** Calls `run` once, when nothing was heard for so long. */
  silence: (milliseconds: number, run: () => void) => Silence
}

export type Silence = {heard: () => void; stop: () => void}

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
  silence: (milliseconds, run) => {
    let heardAt = performance.now()
    const look = () => {
      const rest = heardAt + milliseconds - performance.now()
      if (rest > 0) timer = setTimeout(look, Math.ceil(rest)).unref()
      else run()
    }
    let timer = setTimeout(look, milliseconds).unref()
    // for each piece of each answer: a timer that is moved takes longer than a time that is noted
    return {heard: () => void (heardAt = performance.now()), stop: () => clearTimeout(timer)}
  },
}
