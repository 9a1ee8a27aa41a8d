import type {MediaTool} from '#contract/media/media-tool.ts'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import type {JobTask} from '../jobs/jobs.ts'
import {createLedger} from '../ledger/postgres-ledger.ts'
import {seedMediaServices, type MediaCatalogue} from '../platform/media-catalogue.ts'
import type {MediaRegistry} from '../providers/media-registry.ts'
import {realOutboundPorts, type OutboundPorts} from '../providers/outbound.ts'
import {realTimers, type Timers} from '../providers/timers.ts'
import type {Connections} from '../runs/connections.ts'
import {createRowSignals} from '../runs/row-signals.ts'
import {createPeriodicJobs} from '../work/periodic-jobs.ts'
import {createCallbackTask} from './callbacks.ts'
import {callbackJob} from './end-task.ts'
import {createMediaCatalogue} from './media-catalogue.ts'
import {taskJob, type SubmitTaskParts} from './submit-task.ts'
import type {TaskCommandParts} from './task-commands.ts'
import {taskIdOf} from './task-id.ts'
import type {TaskResponseParts} from './task-response.ts'
import {createTaskRunner, type TaskRunner} from './task-runner.ts'
import {createTaskSweep} from './task-sweep.ts'

/** Tasks of one person that run at once; more wait in line (security R33). */
const tasksPerUser = 5
/** Tasks that run at once in a process: mostly they wait for a provider; what computes here has bounds of its own. */
const tasksAtOnce = 32
const sweepMilliseconds = 5_000
const cleanMilliseconds = 3_600_000
const drainMilliseconds = 2_000

export type MediaServiceOptions = {
  tools: readonly MediaTool[]
  registry: MediaRegistry
  /** This process in `workers`, known once the jobs have started. */
  workerId: () => string
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
  runner: TaskRunner
  /** What the job queue runs: `task` starts a task, `task-callback` calls its address. */
  tasks: Readonly<Record<string, JobTask>>
  /** For the job queue's `onWorkersDead`. */
  workersDied: (workerIds: readonly string[]) => Promise<void>
  /** Enters the services and begins to look after tasks. After the jobs have started. */
  start: () => Promise<void>
  /** Lets running tasks end for a moment, then lets them go. Before the database closes. */
  stop: () => Promise<void>
}

/** Media tasks of the installation: what `mediaRoutes` and the process need to serve and make them. */
export function createMediaService(deps: ServerDeps, options: MediaServiceOptions): MediaService {
  const {config, database, log} = deps
  const {tools, registry, workerId, connections, timers = realTimers, ports = realOutboundPorts} = options
  const ledger = createLedger()
  const runsTasks = config.role !== 'api'
  const signals = createRowSignals(database, 'task')
  const shared = {deps, tools, registry, ledger, timers, workerId}
  const runner = createTaskRunner({
    ...shared,
    perUser: tasksPerUser * Math.max(1, config.limitFactor),
    atOnce: tasksAtOnce,
  })
  const sweep = createTaskSweep({...shared, runner, runsTasks})
  const periodicJobs = createPeriodicJobs({timers, log})
  return {
    tools,
    catalogue: createMediaCatalogue(tools, registry),
    submit: {deps, ledger, registry},
    commands: {deps, tools, ledger, letGo: (taskId) => runner.stop(taskId, 'lost')},
    responses: {database, signals, timers, tools, connections},
    runner,
    tasks: {
      [taskJob]: async (payload) => {
        await runner.claim(taskIdOf(payload))
      },
      [callbackJob]: createCallbackTask(deps, tools, ports),
    },
    workersDied: sweep.workersDied,
    start: async () => {
      await database.asSystem((transaction) => seedMediaServices(transaction, tools))
      await signals.start((taskId) => runner.stop(taskId, 'lost'))
      periodicJobs.every(sweepMilliseconds, 'looking after tasks', sweep.turn)
      periodicJobs.every(cleanMilliseconds, 'deleting old keys of tasks', sweep.clean)
      // What an earlier process left waiting begins at once.
      if (runsTasks)
        await runner
          .startWaiting()
          .catch((error: unknown) => log.warn('waiting tasks were not started', describeError(error)))
    },
    stop: async () => {
      await Promise.all([periodicJobs.stop(), runner.drain(drainMilliseconds)])
      await signals.stop()
    },
  }
}
