import type {Timers} from '#server/providers/timers.ts'

/** Deadlines that never come. */
export const quietTimers: Timers = {
  after: () => () => undefined,
  every: () => () => undefined,
  silence: () => ({heard: () => undefined, stop: () => undefined}),
}

/** Deadlines that come when the test says so. */
export function manualTimers() {
  const waiting = new Set<{milliseconds: number; run: () => void; repeats: boolean}>()
  const add = (repeats: boolean) => (milliseconds: number, run: () => void) => {
    const entry = {milliseconds, run, repeats}
    waiting.add(entry)
    return () => void waiting.delete(entry)
  }
  const run = (entries: {run: () => void; repeats: boolean; milliseconds: number}[]) => {
    for (const entry of entries) {
      if (!entry.repeats) waiting.delete(entry)
      entry.run()
    }
  }
  return {
    timers: {
      after: add(false),
      every: add(true),
      silence: (milliseconds, run) => {
        let stop = add(false)(milliseconds, run)
        return {
          heard: () => {
            stop()
            stop = add(false)(milliseconds, run)
          },
          stop: () => stop(),
        }
      },
    } satisfies Timers,
    /** Runs everything that waits for exactly this long. */
    fire: (milliseconds: number) => run([...waiting].filter((waiter) => waiter.milliseconds === milliseconds)),
    /** Runs whatever waits, but for what repeats. */
    fireDeadlines: () => run([...waiting].filter(({repeats}) => !repeats)),
    waiting: () => [...waiting].map((entry) => entry.milliseconds),
  }
}
