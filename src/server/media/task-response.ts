import type {MediaTool} from '#contract/media/media-tool.ts'
import {statusOfCode} from '#domain/error-kinds.ts'
import {HttpFailure} from '../http/failure.ts'
import type {Client} from '../http/route.ts'
import type {Connections} from '../runs/connections.ts'
import {streamOf} from '../runs/stream-body.ts'
import {followTask, type FollowTaskParts} from './follow-task.ts'
import type {TaskRow} from './task-store.ts'
import {responseOf} from './task-view.ts'

export type TaskResponseParts = FollowTaskParts & {tools: readonly MediaTool[]; connections: Connections}

export type TaskRequest = {
  task: TaskRow
  /** Base of the platform service, for the addresses of our files. */
  base: string
  credentialId: string | undefined
  client: Client | undefined
  headers: Record<string, string>
  /** Aborts when the client leaves or this process ends: the task goes on. */
  signal: AbortSignal
  /**
   * The caller's `timeout`: after this time the response is the unfinished task, and the task continues (upstream §1).
   */
  mostSeconds: number | undefined
}

/** A timer of Node takes no more than 24 days. */
const longestWaitSeconds = 24 * 60 * 60

/** The task's moves, until its end, the caller's `timeout` or the signal; `isCut` after the last two. */
function followFor(parts: TaskResponseParts, {task, mostSeconds}: TaskRequest, signal: AbortSignal) {
  const subject = {taskId: task.id, userId: task.userId}
  if (mostSeconds === undefined)
    return {rows: followTask(parts, subject, signal), cancel: () => undefined, isCut: () => signal.aborted}
  const limit = new AbortController()
  const milliseconds = Math.min(mostSeconds, longestWaitSeconds) * 1000
  const cancel = parts.timers.after(milliseconds, () => limit.abort())
  const either = AbortSignal.any([signal, limit.signal])
  return {rows: followTask(parts, subject, either), cancel, isCut: () => either.aborted}
}

/** A task in its present state, also before its first progress. */
const standOf = ({tools}: TaskResponseParts, row: TaskRow, base: string) =>
  responseOf(tools, row, base) ?? {task_id: row.id, trace_id: row.traceId, progress: 0}

/** `async` or a callback: the task's id at once (contract/media §1.4). */
export const queuedResponse = ({task, headers}: TaskRequest): Response =>
  Response.json({task_id: task.id, trace_id: task.traceId}, {headers})

/**
 * Waits for the end and answers with the whole object; a failed task has the status of its error, an unfinished one its
 * present state.
 */
export async function waitedResponse(parts: TaskResponseParts, request: TaskRequest): Promise<Response> {
  const {task, base, headers, signal} = request
  let last = task
  const {rows, cancel, isCut} = followFor(parts, request, signal)
  try {
    for await (const row of rows) last = row
  } finally {
    cancel()
  }
  const body = responseOf(parts.tools, last, base)
  if (last.state === 'succeeded') return Response.json(body, {headers})
  if (last.state === 'failed')
    return Response.json(body, {status: statusOfCode(last.error?.code ?? 'unknown'), headers})
  if (isCut()) return Response.json(standOf(parts, last, base), {headers})
  throw gone()
}

const gone = () => new HttpFailure(409, 'canceled', 'taskGone')

/** One JSON object a line, whenever the task has moved; the last has `success` (contract/media §1.4). */
export function streamedResponse(parts: TaskResponseParts, request: TaskRequest): Response {
  const {task, base, headers, credentialId, client} = request
  const leaving = new AbortController()
  const {rows, cancel} = followFor(parts, request, leaving.signal)
  leaving.signal.addEventListener('abort', cancel, {once: true})
  let last: string | undefined
  return streamOf(parts.connections, {
    contentType: 'application/x-ndjson',
    userId: task.userId,
    credentialId,
    client,
    headers,
    head: '',
    pull: async () => {
      const result = await rows.next()
      if (result.done) return undefined
      last = `${JSON.stringify(standOf(parts, result.value, base))}\n`
      return last
    },
    // The same line again: this form has no comments.
    ping: () => last,
    // A task cannot be resumed as a stream; its lines are few and small.
    dropsStalled: false,
    leaving,
  })
}
