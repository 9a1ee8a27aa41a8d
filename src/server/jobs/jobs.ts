import {randomUUID} from 'node:crypto'
import {EventEmitter} from 'node:events'
import {sql} from 'drizzle-orm'
import {run, type Runner, type WorkerEvents} from 'graphile-worker'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {realTimers, type Timers} from '../providers/timers.ts'
import type {Transaction} from '../store/database.ts'
import {createPeriodicJobs} from '../work/periodic-jobs.ts'
import {workerLogger} from './worker-logger.ts'

/** What a job does. `signal` aborts when the process drains: finish or save within two seconds. */
export type JobTask = (payload: unknown, job: {id: string; workerId: string; signal: AbortSignal}) => Promise<void>

export type JobsOptions = {
  tasks: Readonly<Record<string, JobTask>>
  /**
   * Called with the ids of workers that ended without a word (`answers.worker_id`), before their jobs are unlocked; more
   * than once for one id is possible. Answers of such a worker end as interrupted (docs/architecture.md, "Answers").
   */
  onWorkersDead?: (workerIds: readonly string[]) => Promise<void>
  /** How many jobs this process runs at once. */
  concurrency?: number
  /** The data folder's lock says that nobody else works on this database: at start every other worker is dead. */
  isOnlyProcess?: boolean
  timers?: Timers
}

export type Jobs = {
  /** Begins to work and to give signs of life. In the role `api` only the latter: such a process may still run answers. */
  start: () => Promise<void>
  /** This process in `workers`; known after `start`. */
  workerId: () => string
  /** Looks for dead workers now instead of at the next turn. */
  reap: () => Promise<void>
  stop: () => Promise<void>
}

const heartbeatMilliseconds = 10_000
const reapMilliseconds = 30_000
/** Two heartbeats may be lost. */
const deadAfterSeconds = 30

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

/**
 * The process's share of the job queue (graphile-worker, which locks jobs without a lease: a killed worker's jobs would
 * stay locked for four hours). Each process writes a heartbeat row; rows older than 30 s are dead, their jobs unlocked,
 * at start and every 30 s. A job with no attempt left is not run again: it was told to `onWorkersDead`.
 */
export function createJobs(deps: Pick<ServerDeps, 'config' | 'database' | 'log'>, options: JobsOptions): Jobs {
  const {config, database, log} = deps
  const {pool} = database
  const periodicJobs = createPeriodicJobs({timers: options.timers ?? realTimers, log})
  let id: string | undefined
  let runner: Runner | undefined

  const workerId = () => {
    if (id === undefined) throw new Error('This process has no worker id before jobs.start()')
    return id
  }

  const beat = () =>
    pool.query(
      `insert into workers (id, heartbeat_at) values ($1, now()) on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`,
      [workerId()],
    )

  const reap = async (isEveryOtherDead = false) => {
    const {rows} = await pool.query<{id: string}>(
      `select id from workers where id <> $1 and ($2 or heartbeat_at < now() - make_interval(secs => $3))
       union
       select locked_by from graphile_worker._private_jobs as job
       where locked_by is not null and locked_by <> $1 and ($2 or locked_at < now() - make_interval(secs => $3))
         and not exists (select from workers where workers.id = job.locked_by)`,
      [workerId(), isEveryOtherDead, deadAfterSeconds],
    )
    const dead = rows.map((row) => row.id)
    if (dead.length === 0) return
    log.warn('workers ended without a word', {workers: dead})
    await options.onWorkersDead?.(dead)
    await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [dead])
    // A worker that was only slow has written again meanwhile and stays.
    await pool.query(
      'delete from workers where id = any($1) and ($2 or heartbeat_at < now() - make_interval(secs => $3))',
      [dead, isEveryOtherDead, deadAfterSeconds],
    )
  }

  const startRunner = async (ready: Promise<void>) => {
    const events: WorkerEvents = new EventEmitter()
    events.once('pool:create', ({workerPool}) => (id = workerPool.id))
    const taskList = Object.fromEntries(
      Object.entries(options.tasks).map(([name, task]) => [
        name,
        async (payload: unknown, helpers: {job: {id: string}; abortSignal: AbortSignal}) => {
          await ready // nobody takes us for dead while we work
          await task(payload, {id: helpers.job.id, workerId: workerId(), signal: helpers.abortSignal})
        },
      ]),
    )
    runner = await run({
      pgPool: pool,
      taskList,
      events,
      concurrency: options.concurrency ?? 20,
      pollInterval: 1_000,
      // one question a second for all, instead of one for each of the twenty; at most one job waits here for a free hand
      preset: {worker: {localQueue: {size: 2, ttl: 10_000}}},
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: 0,
      logger: workerLogger(log),
      parsedCronItems: [],
    })
    runner.promise.catch((error: unknown) => log.error('jobs stopped working', describeError(error)))
  }

  return {
    workerId,
    reap: () => reap(),
    start: async () => {
      let isReady: () => void = () => undefined
      const ready = new Promise<void>((resolve) => (isReady = resolve))
      if (config.role === 'api' || Object.keys(options.tasks).length === 0) id = `process-${randomUUID()}`
      else await startRunner(ready)
      await beat()
      isReady()
      await reap(options.isOnlyProcess === true)
      periodicJobs.every(heartbeatMilliseconds, 'heartbeat', beat)
      periodicJobs.every(reapMilliseconds, 'looking for dead workers', () => reap())
    },
    stop: async () => {
      const stopping = runner
      runner = undefined
      // a heartbeat under way would write our row again after it was deleted
      await Promise.all([periodicJobs.stop(), stopping?.stop('the server stops')])
      if (id !== undefined) await pool.query('delete from workers where id = $1', [id])
    },
  }
}
