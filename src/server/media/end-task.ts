import type {MediaTool} from '#contract/media/media-tool.ts'
import {enqueueJob} from '../jobs/jobs.ts'
import type {Ledger} from '../ledger/ledger.ts'
import type {Transaction} from '../store/database.ts'
import {endTask, type TaskRow, type TaskRun, type TaskSettlement} from './task-store.ts'

/** Name of the job that calls a task's `callback_url`. */
export const callbackJob = 'task-callback'
const callbackAttempts = 4

/** Which service the usage list shows a task under; empty when an update took the tool away. */
export const serviceIdOf = (tools: readonly MediaTool[], {service}: Pick<TaskRow, 'service'>): string | undefined =>
  tools.find(({identity}) => identity.service === service)?.identity.serviceId

/** Ends a task and, where an allow-listed address waits for it, has it called. */
export async function endAndFollowUp(
  transaction: Transaction,
  ledger: Ledger,
  run: TaskRun,
  settlement: TaskSettlement,
): Promise<TaskRow | undefined> {
  const row = await endTask(transaction, ledger, run, settlement)
  if (row?.callbackUrl != null)
    await enqueueJob(
      transaction,
      callbackJob,
      {taskId: row.id},
      {attempts: callbackAttempts, key: `${callbackJob}:${row.id}`},
    )
  return row
}
