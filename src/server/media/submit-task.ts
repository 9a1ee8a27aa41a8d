import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import {statusOfCode} from '#domain/error-kinds.ts'
import type {Identity} from '../auth/identity.ts'
import type {ServerDeps} from '../deps.ts'
import {requireRoomForFiles} from '../files/stored-files.ts'
import {HttpFailure} from '../http/failure.ts'
import {holdCredits} from '../ledger/ledger.ts'
import type {MediaProvider} from '../providers/media-provider.ts'
import type {MediaRegistry} from '../providers/media-registry.ts'
import {ProviderFailure} from '../providers/provider.ts'
import type {Transaction} from '../store/database.ts'
import {tasks} from '../store/schema/media.ts'
import {services} from '../store/schema/platform.ts'
import {claimKey, findKey, requestHashOf} from '../runs/idempotency.ts'
import {enqueueRun, holdReference, lockRunsOf, requireRoomInLine} from '../runs/run-store.ts'
import {usableApplication} from '../runs/usable-application.ts'
import {withOtherAddresses} from './file-marks.ts'
import type {FoundOperation} from './operations.ts'
import {requireCode} from './require-code.ts'
import {resolveSources} from './sources.ts'
import {priceOf, priceRulesOf} from './task-price.ts'
import {taskRuns, type TaskRow} from './task-store.ts'

/** Tasks of one user that may wait behind the running ones (security R33). */
const mostWaiting = 32

export type SubmitTaskParts = {deps: ServerDeps; registry: MediaRegistry}

export type TaskSubmit = FoundOperation & {
  identity: Identity
  /** As it was sent, without what belongs to the call. */
  sent: Record<string, unknown>
  /** The same, as the operation read it. */
  body: Record<string, unknown>
  callbackUrl: string | undefined
  /** The header `Idempotency-Key`, checked. */
  key: string | undefined
  traceId: string
}

export type AcceptedTask = {task: TaskRow; isReplay: boolean}

/**
 * Accepts a generation: idempotency key, task, hold and job are one transaction (security R46), so that all are stored
 * or none, and `used_up` is reported before any work. A repeated request returns the same task, whatever has changed
 * since.
 *
 * @throws HttpFailure 400 for a request that no provider here can make, for files that are not the user's and for an
 * image without the code to be read, 403 `used_up`, 404 foreign application, 413 a full file quota, 422 for a key that
 * belongs to another request, 429 if too many tasks wait
 */
export async function submitTask(parts: SubmitTaskParts, submit: TaskSubmit): Promise<AcceptedTask> {
  const {deps, registry} = parts
  const {identity, tool, operation, sent, body, key} = submit
  const {userId} = identity
  const requestHash = requestHashOf({...sent, '/path': operation.path})
  const earlier = key === undefined ? undefined : await findEarlier(deps, userId, {key, requestHash})
  if (earlier !== undefined) return {task: earlier, isReplay: true}

  const provider = registry.find(tool.identity.id)
  if (provider === undefined)
    throw new HttpFailure(400, 'bad_request', 'toolUnserved', {values: {tool: tool.identity.name}})
  const plan = operation.plan(body)
  await checkPlan(provider, tool, plan, {operation, body})
  const sources = await resolveSources(deps, {userId, tool}, provider, sent, plan)
  await requireCode(sources, plan, sent)
  const marked = <T extends Record<string, unknown>>(value: T) =>
    withOtherAddresses(value, (address) => sources.marks.get(address)) as T // as: only texts inside of it change
  const plannedRow = {request: marked(sent), body: marked(body), plan: marked(plan)}

  const taskId = randomUUID()
  return deps.database.asUser(userId, async (transaction) => {
    if (key !== undefined) {
      const earlierSubmit = await claimKey(transaction, {userId, key, requestHash, subject: {taskId}})
      if (earlierSubmit !== undefined) return {task: await taskOf(transaction, earlierSubmit.taskId), isReplay: true}
    }
    const task = await accept(transaction, parts, submit, {taskId, provider, planned: plannedRow})
    return {task, isReplay: false}
  })
}

function findEarlier(
  {database}: ServerDeps,
  userId: string,
  {key, requestHash}: {key: string; requestHash: string},
): Promise<TaskRow | undefined> {
  return database.asUser(userId, async (transaction) => {
    const earlierSubmit = await findKey(transaction, {userId, key})
    // Another request under this key is refused where the key is claimed.
    return earlierSubmit?.requestHash === requestHash ? taskOf(transaction, earlierSubmit.taskId) : undefined
  })
}

async function taskOf(transaction: Transaction, taskId: string | null): Promise<TaskRow> {
  const [task] = taskId === null ? [] : await transaction.select().from(tasks).where(eq(tasks.id, taskId))
  if (task === undefined) throw new HttpFailure(409, 'duplication', 'taskDeleted')
  return task
}

async function checkPlan(provider: MediaProvider, ...check: Parameters<MediaProvider['check']>): Promise<void> {
  try {
    await provider.check(...check)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const {retryAfterSeconds, field} = error.options
    throw new HttpFailure(
      statusOfCode(error.code),
      error.code,
      {text: error.detail},
      {retryAfterSeconds, field, cause: error},
    )
  }
}

async function accept(
  transaction: Transaction,
  {deps}: SubmitTaskParts,
  {identity, tool, name, operation, body, callbackUrl, traceId}: TaskSubmit,
  {
    taskId,
    provider,
    planned,
  }: {taskId: string; provider: MediaProvider; planned: Pick<TaskRow, 'request' | 'body' | 'plan'>},
): Promise<TaskRow> {
  const {userId, credentialId} = identity
  const {service, serviceId} = tool.identity
  const applicationId = await usableApplication(transaction, identity, {serviceId, now: deps.now()})
  await lockRunsOf(transaction, taskRuns, userId)
  const most = mostWaiting * Math.max(1, deps.config.limitFactor)
  await requireRoomInLine(transaction, taskRuns, userId, {most, refusal: 'tasksWait', retryAfterSeconds: 10})
  await requireRoomForFiles(deps, transaction, userId)
  const [storedService] = await transaction.select().from(services).where(eq(services.id, serviceId))
  const heldAmount = priceOf(priceRulesOf(tool, storedService?.metadata), body, provider)
  const [task] = await transaction
    .insert(tasks)
    .values({
      id: taskId,
      userId,
      service,
      operation: name,
      type: operation.taskType ?? null,
      applicationId,
      credentialId,
      provider: provider.name,
      ...planned,
      callbackUrl,
      held: heldAmount,
      traceId,
      createdAt: deps.now(),
    })
    .returning()
  if (task === undefined) throw new Error('The database inserted a task and returned none')
  await holdCredits(transaction, {
    applicationId,
    userId,
    amount: heldAmount,
    reference: holdReference(taskRuns, taskId),
  })
  await enqueueRun(transaction, taskRuns, taskId)
  return task
}
