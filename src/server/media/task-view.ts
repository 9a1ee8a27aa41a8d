import type {MediaTool} from '#contract/media/media-tool.ts'
import {present} from '../platform/fields.ts'
import {withAddresses} from './file-marks.ts'
import {plannedTask} from './planned-task.ts'
import type {TaskRow} from './task-store.ts'

const unixSeconds = (date: Date | null): number | undefined => (date === null ? undefined : date.getTime() / 1000)

/** The fields of every answer: who made it, and whether that was no model at all. */
const commonOf = (row: TaskRow) => ({
  task_id: row.id,
  trace_id: row.traceId,
  provider: row.provider,
  ...(row.provider === 'sandbox' ? {sandbox: true} : {}),
})

/**
 * The tool's answer as far as it is there (contract/media §1.6): absent while the task waits; without `success` while
 * it runs; then with it.
 */
export function responseOf(
  tools: readonly MediaTool[],
  row: TaskRow,
  base: string,
): Record<string, unknown> | undefined {
  const answer = () => withAddresses(row.response ?? {}, base)
  switch (row.state) {
    case 'queued':
      return undefined
    case 'running':
      return {...halfAnswer(tools, row, base), ...answer(), ...commonOf(row), progress: row.progress}
    case 'succeeded':
      return {...answer(), ...commonOf(row), success: true}
    case 'failed':
      return {
        ...commonOf(row),
        success: false,
        outcome: row.outcome ?? 'refused',
        error: row.error ?? {code: 'unknown', message: 'The task failed.'},
      }
  }
}

/** The tool's own way to say that it is at work, such as kling's `state: "processing"`. */
function halfAnswer(tools: readonly MediaTool[], row: TaskRow, base: string): Record<string, unknown> {
  const plan = plannedTask(tools, row, base)
  return plan ? plan.operation.respond([], plan.body, row.progress) : {}
}

/** A task on the wire (contract/media §1.5). `base` makes the addresses of our files whole. */
export const taskView = (tools: readonly MediaTool[], row: TaskRow, base: string) =>
  present({
    id: row.id,
    type: row.type,
    created_at: row.createdAt.getTime() / 1000,
    started_at: unixSeconds(row.startedAt),
    finished_at: unixSeconds(row.finishedAt),
    elapsed:
      row.finishedAt === null || row.startedAt === null
        ? undefined
        : (row.finishedAt.getTime() - row.startedAt.getTime()) / 1000,
    application_id: row.applicationId,
    credential_id: row.credentialId,
    user_id: row.userId,
    trace_id: row.traceId,
    credits: {held: Number(row.held), settled: row.settled === null ? undefined : Number(row.settled)},
    request: withAddresses(row.request, base),
    response: responseOf(tools, row, base),
  })
