import {describeError} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Timers} from '../providers/timers.ts'
import type {Database} from '../store/database.ts'
import type {Run} from '../runs/run-store.ts'
import {storeFacts} from './task-store.ts'

/** Progress is stored at most this often. */
const progressMilliseconds = 400

export type ProgressWriter = {
  report: (percent: number, snapshot?: Record<string, unknown>) => void
  /** Waits for the write under way; nothing is stored after it. */
  close: () => Promise<void>
}

/** Stores how far a run is, newest first and one write at a time. A failed write is followed by the next. */
export function createProgressWriter(
  {database, timers, log}: {database: Database; timers: Timers; log: Log},
  run: Run,
  onLost: () => void,
): ProgressWriter {
  let latest: {progress: number; response?: Record<string, unknown>} | undefined
  let cancelTimer: (() => void) | undefined
  let storing: Promise<void> | undefined
  let isClosed = false

  const arm = () => {
    if (isClosed || cancelTimer !== undefined || storing !== undefined || latest === undefined) return
    cancelTimer = timers.after(progressMilliseconds, () => {
      cancelTimer = undefined
      storing = store().finally(() => {
        storing = undefined
        arm()
      })
    })
  }

  const store = async (): Promise<void> => {
    const facts = latest
    latest = undefined
    if (facts === undefined) return
    try {
      if (!(await database.asSystem((transaction) => storeFacts(transaction, run, facts)))) onLost()
    } catch (error) {
      log.warn('storing the progress of a task failed', {task: run.id, ...describeError(error)})
    }
  }

  return {
    report: (percent, snapshot) => {
      const progress = Math.max(0, Math.min(99, Math.round(percent)))
      latest = {progress, ...(snapshot === undefined ? {} : {response: snapshot})}
      arm()
    },
    close: async () => {
      isClosed = true
      cancelTimer?.()
      await storing
    },
  }
}
