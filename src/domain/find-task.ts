import type {Task} from '#contract/task.ts'
import {isSameData} from './same-data.ts'

/** Seconds by which the two clocks may differ when a request is looked for in the list. */
const tolerance = 120

/** What a request becomes on its way is not part of what was asked. */
const transport = ['callback_url', 'async', 'application_id', 'credential_id', 'user_id']

const isAbsent = (value: unknown) => value == null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Whether a task is what became of a request whose answer was lost, on a server that knows no idempotency keys: made at
 * that time, from that body. Servers may add fields of their own to the echo and leave out empty ones.
 * @param at unix seconds of the server's clock
 */
export function isTaskOf(task: Task, body: Record<string, unknown>, at: number): boolean {
  const {request, created_at} = task
  if (request == null || created_at < at - tolerance) return false
  return Object.entries(body)
    .filter(([name, value]) => !transport.includes(name) && !isAbsent(value))
    .every(([name, value]) => isSameData(request[name], value))
}
