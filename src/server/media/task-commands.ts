import {and, desc, eq, gte, inArray} from 'drizzle-orm'
import type {TaskCommand} from '#contract/tasks-requests.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import type {Identity} from '../auth/identity.ts'
import type {ServerDeps} from '../deps.ts'
import {notFound} from '../http/failure.ts'
import {isUuid} from '../platform/fields.ts'
import {tasks} from '../store/schema/media.ts'
import {notifyRow} from '../runs/row-signals.ts'
import {takeRun} from '../runs/run-store.ts'
import {dropArtifacts} from './artifacts.ts'
import {endTask} from './end-task.ts'
import {isEnded} from './follow-task.ts'
import {canceledEnd} from './run-task.ts'
import {countTasks, matches, type TaskFilter} from './task-counts.ts'
import {taskRuns, type TaskRow} from './task-store.ts'
import {taskView} from './task-view.ts'

export type TaskCommandParts = {
  deps: ServerDeps
  tools: readonly MediaTool[]
  /** Ends the run in this process, if it is here. */
  letGo: (taskId: string) => void
}
/** Service, caller and base URL of file links. */
export type TaskCaller = {service: string; identity: Identity; base: string}

type Command<TAction extends TaskCommand['action']> = Extract<TaskCommand, {action: TAction}>

const defaultLimit = 30

/** `retrieve`: one task; a foreign one is the same 404 as none (security R19). */
export async function retrieveTask(parts: TaskCommandParts, caller: TaskCaller, {id}: Command<'retrieve'>) {
  return taskView(parts.tools, await findTask(parts, caller, id), caller.base)
}

async function findTask({deps}: TaskCommandParts, {service, identity}: TaskCaller, id: string): Promise<TaskRow> {
  if (!isUuid(id)) throw notFound()
  const {userId} = identity
  const [row] = await deps.database.asUser(userId, (transaction) =>
    transaction
      .select()
      .from(tasks)
      .where(and(eq(tasks.id, id), eq(tasks.userId, userId), eq(tasks.service, service))),
  )
  if (row === undefined) throw notFound()
  return row
}

/**
 * `retrieve_batch`: the user's own tasks of a service, newest first, and how many the filter matches in all. Ids of
 * other people can only narrow the answer, to nothing. Times are unix seconds, both bounds belong to the range.
 */
export async function retrieveTasks(parts: TaskCommandParts, caller: TaskCaller, command: Command<'retrieve_batch'>) {
  const {userId} = caller.identity
  const applicationId = command.application_id
  if (command.user_id !== undefined && command.user_id !== userId) return {count: 0, items: []}
  if (applicationId !== undefined && !isUuid(applicationId)) return {count: 0, items: []}
  const others = [
    command.ids && inArray(tasks.id, command.ids.filter(isUuid)),
    applicationId === undefined ? undefined : eq(tasks.applicationId, applicationId),
    command.created_at_min === undefined ? undefined : gte(tasks.createdAt, dateOf(command.created_at_min)),
  ]
  const filter: TaskFilter = {
    userId,
    service: caller.service,
    type: command.type,
    createdAtMax: command.created_at_max === undefined ? undefined : dateOf(command.created_at_max),
    others: others.filter((condition) => condition !== undefined),
  }
  const page = await parts.deps.database.asUser(userId, async (transaction) => ({
    count: await countTasks(transaction, filter),
    rows: await transaction
      .select()
      .from(tasks)
      .where(matches(filter))
      .orderBy(desc(tasks.createdAt), desc(tasks.id))
      .limit(command.limit ?? defaultLimit)
      .offset(command.offset ?? 0),
  }))
  return {count: page.count, items: page.rows.map((row) => taskView(parts.tools, row, caller.base))}
}

/** Rows are dated to the millisecond, so a time that was read from a task finds that very task. */
const dateOf = (seconds: number) => new Date(Math.round(seconds * 1000))

/**
 * `delete` (ours): removes the task and the files it made. One that still runs is stopped first: what a provider was
 * asked for is charged, since it is made and billed there all the same; what only waited or is free is not.
 */
export async function deleteTask(parts: TaskCommandParts, caller: TaskCaller, command: Command<'delete'>) {
  const {deps} = parts
  const {userId} = caller.identity
  if (command.user_id !== undefined && command.user_id !== userId) throw notFound()
  for (;;) {
    const row = await findTask(parts, caller, command.id)
    if (!isEnded(row) && !(await stopTask(parts, row))) continue // it moved meanwhile: look again
    await dropArtifacts(deps, row, async (transaction) => {
      await transaction.delete(tasks).where(and(eq(tasks.id, row.id), eq(tasks.userId, userId)))
      await notifyRow(transaction, 'task', row.id)
    })
    return {id: row.id, deleted: true}
  }
}

async function stopTask({deps, tools, letGo}: TaskCommandParts, row: TaskRow): Promise<boolean> {
  const hasEnded = await deps.database.asSystem(async (transaction) => {
    const takenRun = await takeRun(transaction, taskRuns, row)
    if (takenRun === undefined) return false
    const isAsked = takenRun.startedAt !== null
    const ending = {end: canceledEnd, isAsked, isCharged: isAsked}
    await endTask(transaction, {tools, now: deps.now}, takenRun, ending)
    await notifyRow(transaction, 'task', row.id, 'stop')
    return true
  })
  if (hasEnded) letGo(row.id)
  return hasEnded
}
