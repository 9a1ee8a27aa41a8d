import type {MediaTool} from '#contract/media/media-tool.ts'
import {statusOfCode} from '#domain/error-kinds.ts'
import {enqueueJob} from '../jobs/jobs.ts'
import {settleRun, type Run} from '../runs/run-store.ts'
import type {Transaction} from '../store/database.ts'
import {taskRuns, type TaskEnd, type TaskRow} from './task-store.ts'

/** Name of the job that calls a task's `callback_url`. */
export const callbackJob = 'task-callback'
const callbackAttempts = 4

export type EndTaskParts = {tools: readonly MediaTool[]; now: () => Date}

export type TaskEnding = {
  end: TaskEnd
  /** A provider was asked: then there is a usage row. */
  isAsked: boolean
  /** Charges the hold; else all of it is refunded: failures are not charged (upstream §5). */
  isCharged: boolean
}

/**
 * Ends a task in one transaction that only the holder of the fence can make. Returns the row, or `undefined` when it
 * has ended otherwise.
 */
export async function endTask(
  transaction: Transaction,
  {tools, now}: EndTaskParts,
  {id, fence, held, service, operation, provider}: TaskRow,
  {end, isAsked, isCharged}: TaskEnding,
): Promise<TaskRow | undefined> {
  const run: Run = {id, fence}
  // An update may have taken the tool away; its usage row then names no service.
  const serviceId = tools.find(({identity}) => identity.service === service)?.identity.serviceId ?? null
  const statusCode = end.state === 'succeeded' ? 200 : statusOfCode(end.error.code)
  return settleRun(transaction, taskRuns, run, {
    facts:
      end.state === 'succeeded'
        ? {state: end.state, response: end.response, progress: 100}
        : {state: end.state, response: null, outcome: end.outcome, error: end.error},
    charge: isCharged ? held : undefined,
    usage: isAsked
      ? {statusCode, serviceId, api: `${service}/${operation}`, metadata: {service, operation, provider, task: id}}
      : undefined,
    now: now(),
  })
}

/** Ends a task and has its callback called, where it has one. */
export async function endAndCallBack(...[transaction, parts, task, ending]: Parameters<typeof endTask>) {
  const row = await endTask(transaction, parts, task, ending)
  const options = {attempts: callbackAttempts, key: `${callbackJob}:${task.id}`}
  if (row?.callbackUrl != null) await enqueueJob(transaction, callbackJob, {taskId: task.id}, options)
  return row
}
