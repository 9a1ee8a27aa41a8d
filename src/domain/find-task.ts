import type {Task} from '#contract/task.ts'
import {isSameData} from './same-data.ts'

/** Seconds before a request was meant and after it was last sent within which its task was made, whatever the clocks say. */
const around = {before: 120, after: 1_800}

/** When a request was meant, and when it was last sent: later after a retry. Unix seconds of the server's clock. */
export type RequestTime = {at: number; sentAt?: number | undefined}

/** The times between which the task of a request was made; both belong to it. */
export const timesAround = ({at, sentAt = at}: RequestTime) => ({
  from: at - around.before,
  to: Math.max(at, sentAt) + around.after,
})

/** What a request becomes on its way is not part of what was asked. */
const transport = ['callback_url', 'async', 'application_id', 'credential_id', 'user_id']

const isAbsent = (value: unknown) => value == null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Whether a task is what became of a request whose answer was lost, on a server that knows no idempotency keys: made at
 * that time, from that body. Servers may add fields of their own to the echo and leave out empty ones.
 */
export function isTaskOf({request, created_at}: Task, body: Record<string, unknown>, time: RequestTime): boolean {
  const {from, to} = timesAround(time)
  if (request == null || created_at < from || created_at > to) return false
  return Object.entries(body)
    .filter(([name, value]) => !transport.includes(name) && !isAbsent(value))
    .every(([name, value]) => isSameData(request[name], value))
}
