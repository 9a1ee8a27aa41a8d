import {isRecord} from '#domain/is-record.ts'
import {isUuid} from '../platform/fields.ts'

/** The task that a job is about. */
export function taskIdOf(payload: unknown): string {
  const id = isRecord(payload) ? payload.taskId : undefined
  if (typeof id !== 'string' || !isUuid(id)) throw new Error('The job names no task')
  return id
}
