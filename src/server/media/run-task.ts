import type {MediaTool} from '#contract/media/media-tool.ts'
import type {ServerDeps} from '../deps.ts'
import {describeError, toHttpFailure} from '../http/boundary.ts'
import {HttpFailure} from '../http/failure.ts'
import {platformBase} from '../platform/addresses.ts'
import type {MediaProvider} from '../providers/media-provider.ts'
import type {MediaRegistry} from '../providers/media-registry.ts'
import {ProviderFailure, type StoredFile} from '../providers/provider.ts'
import type {Timers} from '../providers/timers.ts'
import {failedEnd, endOfError, type EndReason, type FailedEnd} from '../runs/failed-end.ts'
import {confirmRun, requireRun, RunLost} from '../runs/run-store.ts'
import {unlessAborted} from '../work/races.ts'
import {whileAway} from '../work/retry-while-away.ts'
import {dropArtifacts, keepFiles, type ArtifactParts} from './artifacts.ts'
import {withAddresses, withOtherAddresses} from './file-marks.ts'
import {plannedTask, type PlannedTask} from './planned-task.ts'
import {keepAnswer, unfinished} from './remote-answer.ts'
import {resolveSources} from './sources.ts'
import {taskRuns, type TaskEnd, type TaskRow} from './task-store.ts'

/** Why a run was ended from outside: as for an answer, or because it took too long. */
export type TaskEndReason = EndReason | 'deadline'

export type RunTaskParts = {
  deps: ServerDeps
  timers: Timers
  registry: MediaRegistry
  tools: readonly MediaTool[]
}

export type RunTaskAsk = {
  row: TaskRow
  signal: AbortSignal
  storeJob: (job: string) => Promise<void>
  onProgress: (percent: number, snapshot?: Record<string, unknown>) => void
}

/** How a run ended. `isAsked`: a provider was asked, so there is a usage row. */
export type RunResult = {end: TaskEnd; isAsked: boolean} | 'lost' | 'released'

export const canceledEnd = failedEnd('stopped', 'canceled', 'The task was stopped.')
export const interruptedEnd = failedEnd(
  'interrupted',
  'api_error',
  'The server stopped while this was being made. Nothing was charged.',
)
export const overdue = failedEnd('interrupted', 'timeout', 'This took too long and was given up. Nothing was charged.')
const notMade = failedEnd('refused', 'bad_request', 'No provider of this installation makes this any more.')

/**
 * Whether another run may continue an interrupted one: a repetition is free, or the provider knows the work by its job.
 */
export const canGoOn = (provider: MediaProvider | undefined, {providerJob}: Pick<TaskRow, 'providerJob'>): boolean =>
  provider !== undefined && (provider.isRepeatable || providerJob !== null)

/**
 * Runs a task at the provider that was chosen at its submit, and stores the results. Never throws for a failure of a
 * provider; the files of a failed run are deleted.
 */
export async function runTask(parts: RunTaskParts, ask: RunTaskAsk): Promise<RunResult> {
  const {deps, registry, tools, timers} = parts
  const {row, signal} = ask
  const ownPlan = plannedTask(tools, row, platformBase(deps.config, undefined))
  const provider = ownPlan && registry.byName(ownPlan.tool.identity.id, row.provider)
  if (ownPlan === undefined || provider === undefined) return {end: notMade, isAsked: false}
  try {
    // Results of an earlier run of this task; this run makes all of them. Looked at last: while the run is ours,
    // nothing that was found is of a later one.
    const drop = () => dropArtifacts(deps, row, (transaction) => requireRun(transaction, taskRuns, row))
    await whileAway({timers, log: deps.log}, signal, drop)
    const response = await unlessAborted(signal, () => make(parts, ask, ownPlan, provider))
    return {end: {state: 'succeeded', response}, isAsked: true}
  } catch (error) {
    const reason = signal.aborted ? (signal.reason as TaskEndReason) : undefined // only the runner aborts it
    if (reason === 'lost' || error instanceof RunLost) return 'lost'
    if (reason === 'drain' && canGoOn(provider, ask.row)) return 'released'
    if (reason === undefined) logFailure(deps, row, error)
    const end =
      reason === undefined
        ? endOf(error)
        : {stop: canceledEnd, deadline: overdue, drain: interruptedEnd, broken: interruptedEnd}[reason]
    return {end, isAsked: true}
  }
}

async function make(
  {deps, timers}: RunTaskParts,
  {row, signal, storeJob, onProgress}: RunTaskAsk,
  {tool, operation, body, plan}: PlannedTask,
  provider: MediaProvider,
): Promise<Record<string, unknown>> {
  const patiently = <T>(work: () => Promise<T>) => whileAway({timers, log: deps.log}, signal, work)
  /** After a wait, and before anything is bought: another process may have ended the task, and refunded it. */
  const stillOurs = () => patiently(() => confirmRun(deps.database, taskRuns, row))
  const request = withAddresses(row.request, platformBase(deps.config, undefined))
  const {files, publicAddress, marks} = await patiently(() =>
    resolveSources(deps, {userId: row.userId, tool}, provider, request, plan),
  )
  const patient = (file: StoredFile): StoredFile => ({
    ...file,
    read: async () => {
      const bytes = await patiently(file.read)
      await stillOurs()
      return bytes
    },
  })
  await stillOurs()
  const result = await provider.make({
    run: row.id,
    tool,
    operation,
    body: request,
    plan,
    job: row.providerJob ?? undefined,
    storeJob,
    onProgress: (percent, snapshot) => onProgress(percent, snapshot && unfinished(snapshot)),
    sourceFiles: async () => (await files()).map(patient),
    publicAddress,
    signal,
  })
  const keeping: ArtifactParts = {deps, timers, task: row, signal}
  // an answer that repeats the request names the user's files without an origin, as everything stored does
  const own = new Map(
    [...marks].flatMap(([address, mark]) => [address, publicAddress(address)].map((at) => [at, mark])),
  )
  const marked = (answer: Record<string, unknown>) => withOtherAddresses(answer, (address) => own.get(address))
  if (result.kind === 'answer') {
    const answer = {tool, response: marked(result.response), request: row.request}
    return keepAnswer(keeping, provider, answer)
  }
  if (result.files.length === 0) throw new ProviderFailure('api_error', `${provider.name} made nothing.`)
  const artifacts = await keepFiles(keeping, provider, result.files)
  return {
    ...marked(operation.respond(artifacts, body, 100)),
    ...(result.model === undefined ? {} : {provider_model: result.model}),
  }
}

/**
 * Errors raised by Atrium (a full quota or disk, a source deleted meanwhile) keep their own message; provider errors
 * are mapped.
 */
function endOf(error: unknown): FailedEnd {
  const own = error instanceof ProviderFailure ? undefined : toHttpFailure(error)
  if (own === undefined || own.code === 'api_error') return endOfError(error)
  return failedEnd('refused', own.code, own.detail)
}

/** Prompts never reach the log: a known failure by code, an unknown one by stack, disk and database by their words. */
function logFailure({log}: ServerDeps, row: TaskRow, error: unknown): void {
  const fields = {task: row.id, provider: row.provider, service: row.service}
  if (error instanceof ProviderFailure) {
    log.warn('a provider of media failed', {...fields, code: error.code, status: error.options.status})
  } else if (error instanceof HttpFailure) {
    return
  } else if (toHttpFailure(error).code !== 'api_error') {
    log.error('a task failed by the disk or the database of this server', {...fields, ...describeError(error)})
  } else {
    log.error('a provider of media failed unexpectedly', {
      ...fields,
      error: error instanceof Error ? (error.stack ?? error.message) : typeof error,
    })
  }
}
