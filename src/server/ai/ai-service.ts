import type {ServerDeps} from '../deps.ts'
import {findStoredFile} from '../files/stored-files.ts'
import {describeError} from '../http/boundary.ts'
import type {JobTask} from '../jobs/jobs.ts'
import {createLedger} from '../ledger/postgres-ledger.ts'
import type {ChatCatalogue} from '../platform/chat-catalogue.ts'
import {realTimers, type Timers} from '../providers/timers.ts'
import type {ProviderRegistry} from '../providers/registry.ts'
import {createRowSignals} from '../runs/row-signals.ts'
import {createPeriodicJobs} from '../work/periodic-jobs.ts'
import {createAnswerRunner, type AnswerRunner} from './answers/answer-runner.ts'
import type {ResponseParts} from './answers/answer-response.ts'
import {createNaming} from './answers/name-conversation.ts'
import {createAnswerSweep} from './answers/answer-sweep.ts'
import {createConnections} from '../runs/connections.ts'
import type {StopParts} from './answers/stop-answer.ts'
import {createChatCatalogue} from './catalogue.ts'
import {isOurId} from './conversations.ts'
import {answerJob, type SubmitParts} from './submit.ts'

/** Answers of one person that run at once; more wait in line (security R33, R69). */
const answersPerUser = 4
const sweepMilliseconds = 5_000
const cleanMilliseconds = 3_600_000
const drainMilliseconds = 4_000

export type AiServiceOptions = {
  registry: ProviderRegistry
  /** This process in `workers`, known once the jobs have started. */
  workerId: () => string
  timers?: Timers
}

export type AiService = {
  catalogue: ChatCatalogue
  submit: SubmitParts
  answers: StopParts & ResponseParts
  /** What the job queue runs: `answer` starts an answer that could not start where it was accepted. */
  tasks: Readonly<Record<string, JobTask>>
  /** For the job queue's `onWorkersDead`. */
  workersDied: (workerIds: readonly string[]) => Promise<void>
  /** Listens for other processes and begins to look after answers. After the jobs have started. */
  start: () => Promise<void>
  /** Ends open streams, lets running answers finish for a few seconds, interrupts the rest. Before the database closes. */
  stop: () => Promise<void>
}

/** Conversations and answers of the installation: what `apiRoutes` and the process need to serve and run them. */
export function createAiService(deps: ServerDeps, options: AiServiceOptions): AiService {
  const {config, database, log, now} = deps
  const {registry, workerId, timers = realTimers} = options
  const ledger = createLedger()
  const runsAnswers = config.role !== 'api'
  const shared = {database, ledger, log, now, timers, providers: config.providers, workerId}
  const perUser = answersPerUser * config.limitFactor
  const naming = createNaming({database, log, timers, isOn: config.providers.namesConversations})
  const runner: AnswerRunner = createAnswerRunner({
    ...shared,
    naming,
    perUser,
    findProvider: registry.find,
    storedFile: (userId, url) => findStoredFile(deps, userId, url),
  })
  const signals = createRowSignals(database, 'answer')
  const connections = createConnections({database, timers, log, now, limitFactor: config.limitFactor})
  const sweep = createAnswerSweep({...shared, runner, runsAnswers})
  const periodicJobs = createPeriodicJobs({timers, log})

  const answerTask: JobTask = async (payload) => {
    const id = typeof payload === 'object' && payload !== null && 'answerId' in payload ? payload.answerId : undefined
    if (typeof id !== 'string' || !isOurId(id)) throw new Error('The job names no answer')
    await runner.claim(id)
  }

  return {
    catalogue: createChatCatalogue(registry, config.providers),
    submit: {
      database,
      ledger,
      now,
      providers: config.providers,
      findProvider: registry.find,
      runner,
      workerId,
      runsAnswers,
      perUser,
    },
    answers: {...shared, runner, signals, connections},
    tasks: {[answerJob]: answerTask},
    workersDied: sweep.workersDied,
    start: async () => {
      await signals.start((answerId) => {
        runner.stop(answerId).catch((error: unknown) => log.warn('stopping an answer failed', describeError(error)))
      })
      connections.start()
      periodicJobs.every(sweepMilliseconds, 'looking after answers', sweep.turn)
      periodicJobs.every(cleanMilliseconds, 'deleting old deltas', sweep.clean)
    },
    stop: async () => {
      await Promise.all([periodicJobs.stop(), runner.drain(drainMilliseconds)])
      await naming.stop()
      await connections.stop()
      await signals.stop()
    },
  }
}
