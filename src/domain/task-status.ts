import type {Artifact, AnswerReading} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import {defaultCode} from './error-kinds.ts'
import {textOf, type Failure} from './failure.ts'
import {isRecord} from '#contract/is-record.ts'

/** `checking`: the answer names no known state, or claims success without a result; never treated as finished. */
export type TaskStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'checking'

type Meaning = 'queued' | 'running' | 'succeeded' | 'failed'

/** Meanings of the providers' states (contract/media §2, upstream §3). */
const meanings: Readonly<Record<string, Meaning>> = {
  ...meaning('queued', 'pending', 'submitted', 'queued', 'waiting'),
  ...meaning('running', 'processing', 'running', 'in_progress', 'streaming'),
  ...meaning('succeeded', 'succeed', 'succeeded', 'success', 'complete', 'completed', 'finished'),
  ...meaning('failed', 'failed', 'failure', 'error', 'cancelled', 'canceled', 'rejected'),
}

function meaning(status: Meaning, ...words: string[]): Record<string, Meaning> {
  return Object.fromEntries(words.map((word) => [word, status]))
}

const isFault = (error: unknown) => isRecord(error) && (error.code != null || error.message != null)
const isThere = ({url, text}: Artifact) => url !== undefined || text !== undefined

/**
 * The status of any tool's task, from its answer and the tool's reading of it (contract/media §1.6). Contradictory or
 * unknown answers are `checking`. Judges this answer alone; the list makes sure that a task never goes back.
 */
export function taskStatus(task: Task, reading: AnswerReading): TaskStatus {
  const {response} = task
  if (response == null) return task.finished_at == null ? (task.started_at == null ? 'queued' : 'running') : 'checking'
  const word = reading.state?.toLowerCase()
  const state = word === undefined || word === '' ? undefined : (meanings[word] ?? 'unknown')
  const isUnderway = state === 'queued' || state === 'running'

  if (isFault(response.error)) return 'failed'
  if (response.success === false) return isUnderway ? 'checking' : 'failed'
  if (state === 'failed') return 'failed'
  if (state === 'unknown') return 'checking'
  if (isUnderway) return state
  if (reading.progress !== undefined && reading.progress < 100) return 'running'

  const isMade = reading.artifacts.length > 0 && reading.artifacts.every(isThere)
  const isSaidDone =
    response.success === true || state === 'succeeded' || task.finished_at != null || reading.progress === 100
  if (isSaidDone) return isMade ? 'succeeded' : 'checking'
  return isMade ? 'checking' : 'running'
}

/** Why a task failed, in the server's words. An empty detail means the server gave none. */
export function failureOf({response, trace_id}: Task): Failure {
  const error = isRecord(response?.error) ? response.error : {}
  const traceId = textOf(response?.trace_id) ?? textOf(trace_id)
  return {
    code: textOf(error.code) ?? defaultCode,
    detail: textOf(error.message) ?? '',
    ...(traceId === undefined ? {} : {traceId}),
  }
}
