import {randomUUID} from 'node:crypto'
import {EventEmitter} from 'node:events'
import {sql} from 'drizzle-orm'
import {run, type Runner, type WorkerEvents} from 'graphile-worker'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {realTimers, type Timers} from '../providers/timers.ts'
import type {StartFailure} from '../start-failure.ts'
import type {Transaction} from '../store/database.ts'
import {createPeriodicJobs} from '../work/periodic-jobs.ts'
import {createLease} from './lease.ts'
import {patientPool} from './patient-pool.ts'
import {createReaper} from './reaper.ts'
import {workerLogger} from './worker-logger.ts'

/** The work of a job. `signal` aborts when the process drains: finish or save within two seconds. */
export type JobTask = (payload: unknown, job: {id: string; workerId: string; signal: AbortSignal}) => Promise<void>

/** Jobs that one process runs at once. */
const jobsAtOnce = 20

export type JobsOptions = {
  tasks: Readonly<Record<string, JobTask>>
  /**
   * Called with the ids of workers that ended without a word (`answers.worker_id`), before their jobs are unlocked;
   * more than once for one id is possible. Its answers end as interrupted (docs/architecture.md, "Answers").
   */
  onWorkersDead?: (workerIds: readonly string[]) => Promise<void>
  /** The data folder's lock says that nobody else works on this database: at start every other worker is dead. */
  isOnlyProcess?: boolean
  /** This process is cut off from the database: its clients are served elsewhere. */
  onLeaseLost?: () => void
  /** As in `LeaseParts`. */
  confirmSchema?: () => Promise<boolean>
  /** After the start: the database has become what this process cannot read. */
  onRefused?: (failure: StartFailure) => void
  timers?: Timers
}

export type Jobs = {
  /** Begins to work and to give signs of life. In the role `api` only these: it may still run answers. */
  start: () => Promise<void>
  /** This process in `workers`; known after `start`. */
  workerId: () => string
  /** Whether this process may begin work: no other one takes it for dead. */
  holdsLease: () => boolean
  /** Takes no more jobs and ends those under way. The signs of life go on. */
  drain: () => Promise<void>
  stop: () => Promise<void>
}

/** With the lease the longest time until a death is noticed: well below five seconds. */
export const reapMilliseconds = 500
/** Jobs without a known worker: their process ended during their recovery. */
const orphanMilliseconds = 30_000

/**
 * Adds a job within `transaction`, as a user or as the system: it exists exactly when the transaction commits. One
 * attempt by default, since a paid call is never made twice by a retry. The same `key` replaces a job that waits.
 */
export async function enqueueJob(
  transaction: Transaction,
  task: string,
  payload: Record<string, unknown>,
  {attempts = 1, key = null}: {attempts?: number; key?: string | null} = {},
): Promise<string> {
  const {rows} = await transaction.execute<{id: string}>(
    sql`select enqueue_job(${task}, ${JSON.stringify(payload)}::json, ${attempts}::integer, ${key}::text) as id`,
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`The job ${task} was not added`)
  return id
}

type Tasks = JobsOptions['tasks']

/** The tasks as the library calls them, once `ready`: no other process takes this one for dead while it works. */
const toTaskList = (tasks: Tasks, ready: Promise<void>, workerId: () => string) =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload: unknown, helpers: {job: {id: string}; abortSignal: AbortSignal}) => {
        await ready
        await task(payload, {id: helpers.job.id, workerId: workerId(), signal: helpers.abortSignal})
      },
    ]),
  )

/**
 * The process's share of the job queue (graphile-worker, which locks jobs without a lease: a killed worker's jobs would
 * stay locked for four hours). Each process has a lease; one that is alive recovers what those did whose lease has
 * ended, and unlocks their jobs (docs/decisions/0073). A job with no attempt left is not run again: it was told to
 * `onWorkersDead`.
 */
export function createJobs(deps: Pick<ServerDeps, 'config' | 'database' | 'log'>, options: JobsOptions): Jobs {
  const {config, database, log} = deps
  const {onWorkersDead = () => Promise.resolve(), isOnlyProcess = false, timers = realTimers} = options
  const periodicJobs = createPeriodicJobs({timers, log})
  let id: string | undefined
  let runner: Runner | undefined
  let isStopping = false

  const workerId = () => {
    if (id === undefined) throw new Error('This process has no worker id before jobs.start()')
    return id
  }
  const lease = createLease({
    pool: database.leases,
    databaseClock: database.clock,
    timers,
    log,
    workerId,
    isAlone: isOnlyProcess,
    onLost: () => options.onLeaseLost?.(),
    confirmSchema: options.confirmSchema ?? (() => Promise.resolve(true)),
    onRefused: (failure) => options.onRefused?.(failure),
  })
  const reaper = createReaper({database, log, workerId, onWorkersDead})

  const startRunner = async (ready: Promise<void>) => {
    const events: WorkerEvents = new EventEmitter()
    events.once('pool:create', ({workerPool}) => (id = workerPool.id))
    runner = await run({
      pgPool: patientPool(database.direct, log, () => isStopping),
      taskList: toTaskList(options.tasks, ready, workerId),
      events,
      concurrency: jobsAtOnce,
      pollInterval: 1_000,
      // one question a second for all, instead of twenty; at most one job waits here for a free hand
      preset: {worker: {localQueue: {size: 2, ttl: 10_000}}},
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: 0,
      logger: workerLogger(log),
      parsedCronItems: [],
    })
    runner.promise.catch((error: unknown) => log.error('jobs stopped working', describeError(error)))
  }

  const drain = async () => {
    isStopping = true
    const stopping = runner
    runner = undefined
    await stopping?.stop('the server stops')
  }

  /** Recovers the work of processes whose lease has ended, now and from time to time. */
  const startReaper = async () => {
    if (isOnlyProcess) await reaper.buryOthers()
    await reaper.reap()
    await reaper.reapOrphans()
    if (!isOnlyProcess)
      periodicJobs.every(reapMilliseconds, 'looking for dead workers', async () => {
        if (lease.isSettled()) await reaper.reap()
      })
    periodicJobs.every(orphanMilliseconds, 'looking for jobs of nobody', reaper.reapOrphans)
  }

  return {
    workerId,
    holdsLease: lease.isHeld,
    start: async () => {
      let isReady: () => void = () => undefined
      const ready = new Promise<void>((resolve) => (isReady = resolve))
      if (config.role === 'api' || Object.keys(options.tasks).length === 0) id = `process-${randomUUID()}`
      else await startRunner(ready)
      await lease.start()
      isReady()
      await startReaper()
    },
    drain,
    stop: async () => {
      await Promise.all([periodicJobs.stop(), drain()])
      if (id !== undefined) await lease.stop()
    },
  }
}
