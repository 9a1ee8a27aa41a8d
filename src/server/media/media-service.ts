import type {MediaTool} from '#contract/media/media-tool.ts'
import type {ServerDeps} from '../deps.ts'
import type {JobTask} from '../jobs/jobs.ts'
import {seedMediaServices, type MediaCatalogue} from '../platform/media-catalogue.ts'
import type {MediaRegistry} from '../providers/media-registry.ts'
import {realOutboundPorts, type OutboundPorts} from '../providers/outbound.ts'
import {realTimers, type Timers} from '../providers/timers.ts'
import type {Connections} from '../runs/connections.ts'
import {createRunService} from '../runs/run-service.ts'
import type {Runner} from '../runs/runner.ts'
import {createCallbackTask} from './callbacks.ts'
import {callbackJob} from './end-task.ts'
import {createMediaCatalogue} from './media-catalogue.ts'
import {performTask} from './perform-task.ts'
import {canRecover, giveUpTask, recoverTask} from './recover-task.ts'
import {overdue} from './run-task.ts'
import type {SubmitTaskParts} from './submit-task.ts'
import type {TaskCommandParts} from './task-commands.ts'
import type {TaskResponseParts} from './task-response.ts'
import {deleteOldKeys, taskRuns, type TaskRow} from './task-store.ts'

/** Tasks of one user that run at once; more wait in the queue (security R33). */
const tasksPerUser = 5
/** Tasks that run at once in a process: mostly they wait for a provider; what computes here has bounds of its own. */
const tasksAtOnce = 32
/** A task that did not start within this time is given up. */
const longestWaitMilliseconds = 12 * 3_600_000

export type MediaServiceOptions = {
  tools: readonly MediaTool[]
  registry: MediaRegistry
  /** This process in `workers`, known once the jobs have started. */
  workerId: () => string
  /** Whether this process may begin work (`Jobs`). */
  holdsLease?: () => boolean
  /** All open streams of the process. */
  connections: Connections
  timers?: Timers
  ports?: OutboundPorts
}

export type MediaService = {
  tools: readonly MediaTool[]
  catalogue: MediaCatalogue
  submit: SubmitTaskParts
  commands: TaskCommandParts
  responses: TaskResponseParts
  runner: Runner<TaskRow, undefined>
  /** Jobs of the queue: `task` starts a task, `task-callback` calls its address. */
  tasks: Readonly<Record<string, JobTask>>
  /** For the job queue's `onWorkersDead`. */
  workersDied: (workerIds: readonly string[]) => Promise<void>
  /** Enters the services and begins to look after tasks. After the jobs have started. */
  start: () => Promise<void>
  /** Nothing begins any more, and what runs has ended, while requests may still wait for it. */
  drain: (mostMilliseconds?: number) => Promise<void>
  /** Lets running tasks end for a moment, then lets them go. Before the database closes. */
  stop: () => Promise<void>
}

/** Media tasks of the installation: what `mediaRoutes` and the process need to serve and make them. */
export function createMediaService(deps: ServerDeps, options: MediaServiceOptions): MediaService {
  const {config, database, log, now} = deps
  const {tools, registry, workerId, connections, timers = realTimers, ports = realOutboundPorts} = options
  const {holdsLease = () => true} = options
  const commonParts = {deps, tools, registry, timers, now}
  const {runner, signals, ...runs} = createRunService<TaskRow, undefined>({
    kind: taskRuns,
    database,
    log,
    now,
    timers,
    workerId,
    holdsLease,
    canHandOver: (row) => canRecover(commonParts, row),
    perUser: tasksPerUser * Math.max(1, config.limitFactor),
    atOnce: tasksAtOnce,
    prepare: () => Promise.resolve(undefined),
    perform: (row, _input, controller) => performTask(commonParts, row, controller),
    startsRuns: config.role !== 'api',
    recover: (row) => recoverTask(commonParts, row),
    longestWait: {milliseconds: longestWaitMilliseconds, giveUp: (row) => giveUpTask(commonParts, row, overdue)},
    stopReason: 'lost',
    drainMilliseconds: config.drainSeconds * 1_000,
    deletions: [(transaction) => deleteOldKeys(transaction, now())],
  })
  return {
    tools,
    catalogue: createMediaCatalogue(tools, registry),
    submit: {deps, registry},
    commands: {deps, tools, letGo: (taskId) => void runner.stop(taskId, 'lost')},
    responses: {database, signals, timers, tools, connections},
    runner,
    tasks: {[taskRuns.name]: runs.startJob, [callbackJob]: createCallbackTask(deps, tools, ports)},
    workersDied: runs.workersDied,
    start: async () => {
      await database.asSystem((transaction) => seedMediaServices(transaction, tools))
      await runs.start()
    },
    drain: runs.drain,
    stop: async () => {
      await runs.drain()
      await signals.stop()
    },
  }
}
