import type {ServerDeps} from '../deps.ts'
import {HttpFailure} from '../http/failure.ts'
import {findStoredFile} from '../files/stored-files.ts'
import type {JobTask} from '../jobs/jobs.ts'
import type {ChatCatalogue} from '../platform/chat-catalogue.ts'
import {realTimers, type Timers} from '../providers/timers.ts'
import type {ProviderRegistry} from '../providers/registry.ts'
import {createRunService} from '../runs/run-service.ts'
import type {Runner} from '../runs/runner.ts'
import type {ResponseParts} from './answers/answer-response.ts'
import {createAnswerReader} from './answers/answer-reader.ts'
import {createNaming} from './answers/name-conversation.ts'
import {deleteOldDeltas, deleteOldKeys} from './answers/old-answers.ts'
import {createConnections} from '../runs/connections.ts'
import {createTurns} from '../work/turns.ts'
import {answerRuns, type AnswerRow} from './answers/answer-store.ts'
import {createAnswerWork, type AnswerWorkInput} from './answers/perform-answer.ts'
import type {StopParts} from './answers/stop-answer.ts'
import {takeOver} from './answers/take-over.ts'
import {deleteOldParts} from './import-conversations.ts'
import {createChatCatalogue} from './catalogue.ts'
import {questionTurns, type SubmitParts} from './submit.ts'

/** Answers of one user that run at once; more wait in the queue (security R33, R69). */
const answersPerUser = 4

export type AiServiceOptions = {
  registry: ProviderRegistry
  /** This process in `workers`, known once the jobs have started. */
  workerId: () => string
  /** Whether this process may begin work (`Jobs`). */
  holdsLease?: () => boolean
  timers?: Timers
}

export type AiService = {
  catalogue: ChatCatalogue
  submit: SubmitParts
  answers: StopParts & ResponseParts
  runner: Runner<AnswerRow, AnswerWorkInput>
  /** The longest that text of answers waited to be stored since the last call, in milliseconds. */
  longestWait: () => number
  /** Jobs of the queue: `answer` starts an answer that could not start where it was accepted. */
  tasks: Readonly<Record<string, JobTask>>
  /** For the job queue's `onWorkersDead`. */
  workersDied: (workerIds: readonly string[]) => Promise<void>
  /** Listens for other processes and begins to look after answers. After the jobs have started. */
  start: () => Promise<void>
  /** Accepts nothing more and ends running work, while requests may still wait for the end. */
  drain: (mostMilliseconds?: number) => Promise<void>
  /** Ends open streams, lets running answers finish for seconds, interrupts the rest. Before the database closes. */
  stop: () => Promise<void>
}

/** Conversations and answers of the installation: what `apiRoutes` and the process need to serve and run them. */
export function createAiService(deps: ServerDeps, options: AiServiceOptions): AiService {
  const {config, database, log, now} = deps
  const {registry, workerId, holdsLease = () => true, timers = realTimers} = options
  const startsRuns = config.role !== 'api'
  const mayStart = () => startsRuns && holdsLease()
  const commonParts = {database, log, now, timers, providers: config.providers}
  const perUser = answersPerUser * config.limitFactor
  const naming = createNaming({database, log, timers, isOn: config.providers.namesConversations})
  const {live, longestWait, ...work} = createAnswerWork({
    ...commonParts,
    naming,
    findProvider: registry.find,
    storedFile: (userId, url) => findStoredFile(deps, userId, url),
  })
  const {runner, signals, ...runs} = createRunService({
    ...commonParts,
    ...work,
    kind: answerRuns,
    workerId,
    holdsLease,
    // an answer is never asked for twice
    canHandOver: () => false,
    perUser,
    atOnce: Infinity,
    startsRuns,
    recover: (row) => takeOver(commonParts, row),
    stopReason: 'stop',
    drainMilliseconds: config.drainSeconds * 1_000,
    deletions: [deleteOldKeys, deleteOldDeltas, deleteOldParts].map(
      (deleteSome) => (transaction) => deleteSome(transaction, now()),
    ),
  })
  const connections = createConnections({database, timers, log, now, limitFactor: config.limitFactor})
  const turns = createTurns({...questionTurns, timers})

  const drain = (mostMilliseconds?: number) => {
    turns.refuse(new HttpFailure(503, 'busy', 'serverEnds', {retryAfterSeconds: 1}))
    return runs.drain(mostMilliseconds)
  }

  return {
    catalogue: createChatCatalogue(registry, config.providers),
    submit: {...commonParts, findProvider: registry.find, runner, workerId, mayStart, perUser, turns},
    answers: {...commonParts, runner, live, reader: createAnswerReader(commonParts), signals, connections},
    runner,
    longestWait,
    tasks: {[answerRuns.name]: runs.startJob},
    workersDied: runs.workersDied,
    start: async () => {
      await runs.start()
      connections.start()
    },
    drain,
    stop: async () => {
      await drain()
      await naming.stop()
      await connections.stop()
      await signals.stop()
    },
  }
}
