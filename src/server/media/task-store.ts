import {and, eq, gte, isNotNull, isNull, notExists, or, sql} from 'drizzle-orm'
import {deleteSomeKeys, keptKeyMilliseconds} from '../runs/idempotency.ts'
import type {FailedEnd} from '../runs/failed-end.ts'
import {notifyRow} from '../runs/row-signals.ts'
import {isRunOf, type Run, type RunKind} from '../runs/run-store.ts'
import type {Transaction} from '../store/database.ts'
import {tasks} from '../store/schema/media.ts'
import {idempotencyKeys} from '../store/schema/submits.ts'

export type TaskRow = typeof tasks.$inferSelect

/** How a task ended. `response` is the tool's own answer, with marks for our files. */
export type TaskEnd = {state: 'succeeded'; response: Record<string, unknown>} | FailedEnd

export const taskRuns: RunKind<TaskRow> = {
  name: 'task',
  table: tasks,
  waiting: 'queued',
  running: 'running',
  stateChanged: () => Promise.resolve(),
}

type Facts = {progress?: number; response?: Record<string, unknown>; providerJob?: string}

/** Stores facts of a running task. `false`: another worker took the run, or its task has ended or is gone. */
export async function storeFacts(transaction: Transaction, run: Run, facts: Facts): Promise<boolean> {
  const [row] = await transaction
    .update(tasks)
    .set({
      ...facts,
      ...(facts.progress === undefined ? {} : {progress: sql`greatest(${tasks.progress}, ${facts.progress}::integer)`}),
    })
    .where(isRunOf(taskRuns, run))
    .returning({id: tasks.id})
  if (row === undefined) return false
  await notifyRow(transaction, 'task', run.id)
  return true
}

/** Deletes some keys of long ended tasks; a deleted one counts from its request. Returns whether more may be. */
export function deleteOldKeys(transaction: Transaction, now: Date): Promise<boolean> {
  const before = new Date(now.getTime() - keptKeyMilliseconds)
  const isKept = or(isNull(tasks.finishedAt), gte(tasks.finishedAt, before))
  const keptTask = transaction
    .select({id: tasks.id})
    .from(tasks)
    .where(and(eq(tasks.id, idempotencyKeys.taskId), isKept))
  return deleteSomeKeys(transaction, before, and(isNotNull(idempotencyKeys.taskId), notExists(keptTask)))
}
