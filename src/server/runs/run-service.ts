import {describeError} from '../http/boundary.ts'
import type {JobTask} from '../jobs/jobs.ts'
import {createPeriodicJobs} from '../work/periodic-jobs.ts'
import type {EndReason} from './failed-end.ts'
import {createOldRows, type DeleteSome} from './old-rows.ts'
import {createRowSignals, type RowSignals} from './row-signals.ts'
import {rowIdOf, type RunRow} from './run-store.ts'
import {createRunSweep, type RunSweepParts} from './run-sweep.ts'
import {createRunner, type Runner, type RunnerParts} from './runner.ts'

const sweepMilliseconds = 5_000
const cleanMilliseconds = 3_600_000

export type RunServiceParts<Row extends RunRow, Input> = RunnerParts<Row, Input> &
  Omit<RunSweepParts<Row>, 'runner'> & {
    /** Why a run ends here when another process asks for it. */
    stopReason: EndReason
    /** How long runs may go on when the process stops. */
    drainMilliseconds: number
    /** Each hour, by one process of all: what is older than its use. */
    deletions: readonly DeleteSome[]
  }

export type RunService<Row extends RunRow, Input> = {
  runner: Runner<Row, Input>
  signals: RowSignals
  /** Job of the queue for a row that could not start where it was accepted. */
  startJob: JobTask
  /** For the job queue's `onWorkersDead`. */
  workersDied: (workerIds: readonly string[]) => Promise<void>
  /** Listens to other processes, starts waiting rows and begins to sweep. After the jobs have started. */
  start: () => Promise<void>
  /** Ends the sweeps and drains the runs, once; `mostMilliseconds` where they have less time than usual. */
  drain: (mostMilliseconds?: number) => Promise<void>
}

/** Everything a process does for the rows of one kind: runs, sweeps, job and notifications (docs/decisions/0034). */
export function createRunService<Row extends RunRow, Input>(
  parts: RunServiceParts<Row, Input>,
): RunService<Row, Input> {
  const {kind, database, timers, log, now, deletions} = parts
  const runner = createRunner(parts)
  const signals = createRowSignals(database, kind.name)
  const {workersDied, sweep} = createRunSweep({...parts, runner})
  const periodicJobs = createPeriodicJobs({timers, log})
  const oldRows = createOldRows({database, now, log, name: `${kind.name}s_cleaned_at`, deletions})
  const drain = async (mostMilliseconds = Infinity) => {
    oldRows.stop()
    const milliseconds = Math.min(mostMilliseconds, parts.drainMilliseconds)
    await Promise.all([periodicJobs.stop(), runner.drain(milliseconds)])
  }
  let draining: Promise<void> | undefined

  return {
    runner,
    signals,
    workersDied,
    startJob: async (payload) => {
      await runner.claim(rowIdOf(kind, payload))
    },
    start: async () => {
      await signals.start((id) => void runner.stop(id, parts.stopReason))
      periodicJobs.every(sweepMilliseconds, `looking after ${kind.name}s`, sweep)
      periodicJobs.every(cleanMilliseconds, `cleaning up after ${kind.name}s`, oldRows.clean)
      // Rows that an earlier process left waiting start at once.
      if (parts.startsRuns)
        await runner
          .startWaiting()
          .catch((error: unknown) => log.warn(`waiting ${kind.name}s were not started`, describeError(error)))
    },
    drain: (mostMilliseconds) => (draining ??= drain(mostMilliseconds)),
  }
}
