import type {Timers} from '#server/providers/timers.ts'

/** Deadlines that never come. */
export const quietTimers: Timers = {after: () => () => undefined, every: () => () => undefined}

/** Deadlines that come when the test says so. */
export function manualTimers() {
  const waiting = new Set<{milliseconds: number; run: () => void; repeats: boolean}>()
  const add = (repeats: boolean) => (milliseconds: number, run: () => void) => {
    const entry = {milliseconds, run, repeats}
    waiting.add(entry)
    return () => void waiting.delete(entry)
  }
  return {
    timers: {after: add(false), every: add(true)} satisfies Timers,
    /** Runs everything that waits for exactly this long. */
    fire: (milliseconds: number) => {
      for (const entry of [...waiting].filter((waiter) => waiter.milliseconds === milliseconds)) {
        if (!entry.repeats) waiting.delete(entry)
        entry.run()
      }
    },
    waiting: () => [...waiting].map((entry) => entry.milliseconds),
  }
}
