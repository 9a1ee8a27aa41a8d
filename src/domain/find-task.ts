import type {Task} from '#contract/task.ts'
import {isSameData} from './same-data.ts'

/**
 * Window in seconds: a task was created between this long before its request's click and this long after its last send,
 * with tolerance for clocks.
 */
const around = {before: 120, after: 1_800}

/** Time of the click and of the last send (later after a retry). Unix seconds of the server's clock. */
export type RequestTime = {at: number; sentAt?: number | undefined}

/** The inclusive time range in which a request's task was created. */
export const timesAround = ({at, sentAt = at}: RequestTime) => ({
  from: at - around.before,
  to: Math.max(at, sentAt) + around.after,
})

/** Transport fields of a request, which do not count in a comparison. */
const transport = ['callback_url', 'async', 'application_id', 'credential_id', 'user_id']

const isAbsent = (value: unknown) => value == null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Whether a task belongs to a request whose answer was lost, on a server without idempotency keys: same time, same
 * body. Servers may add fields to the echo and omit empty ones.
 */
export function isTaskOf({request, created_at}: Task, body: Record<string, unknown>, time: RequestTime): boolean {
  const {from, to} = timesAround(time)
  if (request == null || created_at < from || created_at > to) return false
  return Object.entries(body)
    .filter(([name, value]) => !transport.includes(name) && !isAbsent(value))
    .every(([name, value]) => isSameData(request[name], value))
}
