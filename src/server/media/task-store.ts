import {and, count, eq, inArray, isNotNull, isNull, sql} from 'drizzle-orm'
import type {Ledger} from '../ledger/ledger.ts'
import type {Transaction} from '../store/database.ts'
import {tasks} from '../store/schema/media.ts'
import type {FailedEnd} from '../runs/failure-end.ts'
import {notifyRow} from '../runs/row-signals.ts'
import {insertUsage} from '../runs/usage.ts'

export type TaskRow = typeof tasks.$inferSelect

/** How a task ended. `response` is the tool's own answer, with marks for our files. */
export type TaskEnd = {state: 'succeeded'; response: Record<string, unknown>} | FailedEnd

/** The run of a task by one worker: only the holder of the newest fence may write (security R66). */
export type TaskRun = {taskId: string; fence: number}

export const taskReference = (taskId: string): string => `task:${taskId}`

export const isOpen = inArray(tasks.state, ['queued', 'running'])
export const isWaiting = and(eq(tasks.state, 'queued'), isNull(tasks.workerId))
const isRunOf = ({taskId, fence}: TaskRun) => and(eq(tasks.id, taskId), eq(tasks.fence, fence), isOpen)

/** One person's tasks are counted and claimed one after the other. Ends with the transaction. */
export const lockTasksOf = (transaction: Transaction, userId: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`tasks:${userId}`}, 0))`)

async function countRunning(transaction: Transaction, userId: string): Promise<number> {
  const [row] = await transaction
    .select({running: count()})
    .from(tasks)
    .where(and(eq(tasks.userId, userId), isOpen, isNotNull(tasks.workerId)))
  return row?.running ?? 0
}

/** Takes a waiting task for a worker, unless its person has `perUser` running ones already. */
export async function claimTask(
  transaction: Transaction,
  {taskId, workerId, perUser, now}: {taskId: string; workerId: string; perUser: number; now: Date},
): Promise<TaskRow | undefined> {
  const isMeant = and(eq(tasks.id, taskId), isWaiting)
  const [waiting] = await transaction.select({userId: tasks.userId}).from(tasks).where(isMeant)
  if (waiting === undefined) return undefined
  await lockTasksOf(transaction, waiting.userId)
  if ((await countRunning(transaction, waiting.userId)) >= perUser) return undefined
  const [row] = await transaction
    .update(tasks)
    .set({
      workerId,
      fence: sql`${tasks.fence} + 1`,
      state: 'running',
      startedAt: sql`coalesce(${tasks.startedAt}, ${now.toISOString()}::timestamptz)`,
    })
    .where(isMeant)
    .returning()
  if (row !== undefined) await notifyRow(transaction, 'task', taskId)
  return row
}

type Facts = {progress?: number; response?: Record<string, unknown>; providerJob?: string}

/** Writes what is known of a running task. `false`: the run was taken away, its task has ended or is gone. */
export async function storeFacts(transaction: Transaction, run: TaskRun, facts: Facts): Promise<boolean> {
  const [row] = await transaction
    .update(tasks)
    .set({
      ...facts,
      ...(facts.progress === undefined ? {} : {progress: sql`greatest(${tasks.progress}, ${facts.progress}::integer)`}),
    })
    .where(isRunOf(run))
    .returning({id: tasks.id})
  if (row === undefined) return false
  await notifyRow(transaction, 'task', run.taskId)
  return true
}

/** Lets a task go, to be taken by the next worker that looks. The new fence shuts the old one out. */
export async function releaseTask(transaction: Transaction, run: TaskRun): Promise<boolean> {
  const [row] = await transaction
    .update(tasks)
    .set({workerId: null, state: 'queued', fence: run.fence + 1})
    .where(isRunOf(run))
    .returning({id: tasks.id})
  return row !== undefined
}

export type TaskSettlement = {
  end: TaskEnd
  serviceId: string | undefined
  /** Whether what was held is charged; else all of it goes back: failures are not charged (upstream §5). */
  isCharged: boolean
  /** Whether a provider was asked: then there is a usage row, with this status. */
  status: number | undefined
  now: Date
}

/**
 * Ends a task in one transaction that only the holder of the fence can make: answer, credits, usage row. Returns the row,
 * or `undefined` when somebody else has ended it.
 */
export async function endTask(
  transaction: Transaction,
  ledger: Ledger,
  run: TaskRun,
  {end, serviceId, isCharged, status, now}: TaskSettlement,
): Promise<TaskRow | undefined> {
  const [row] = await transaction
    .update(tasks)
    .set({
      state: end.state,
      ...(end.state === 'succeeded'
        ? {response: end.response, progress: 100}
        : {response: null, outcome: end.outcome, error: end.error}),
      finishedAt: now,
    })
    .where(isRunOf(run))
    .returning()
  if (row === undefined) return undefined
  const reference = taskReference(row.id)
  let settled = '0'
  if (isCharged) settled = await ledger.settle(transaction, {reference, amount: row.held})
  else await ledger.refund(transaction, {reference})
  await transaction.update(tasks).set({settled}).where(eq(tasks.id, row.id))
  if (status !== undefined && row.applicationId !== null)
    await insertUsage(transaction, {
      userId: row.userId,
      applicationId: row.applicationId,
      serviceId: serviceId ?? null,
      credentialId: row.credentialId,
      statusCode: status,
      traceId: row.traceId,
      deductedAmount: settled,
      metadata: {service: row.service, operation: row.operation, provider: row.provider, task: row.id},
      createdAt: now,
    })
  await notifyRow(transaction, 'task', row.id)
  return row
}

/** Takes an open task from whoever holds it. The old worker is shut out, should it still live. */
export async function takeTask(transaction: Transaction, run: TaskRun): Promise<TaskRow | undefined> {
  const [row] = await transaction
    .update(tasks)
    .set({fence: sql`${tasks.fence} + 1`})
    .where(isRunOf(run))
    .returning()
  return row
}
