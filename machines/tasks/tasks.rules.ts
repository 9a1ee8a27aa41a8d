import type {Task} from '#contract/task.ts'
import {mergeItems} from '#domain/merge-tasks.ts'
import {nameInAddress} from '#domain/name-in-address.ts'
import type {NamedTask, TaskListContext} from '#machines/task-list/task-list.types.ts'
import type {PendingTask} from '#machines/task-requests/task-requests.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'

export const isOver = ({status}: TaskRecord) => status === 'succeeded' || status === 'failed'

export const mergeRecords = (records: TaskRecord[], arrivals: readonly TaskRecord[]) =>
  mergeItems(records, arrivals, {taskOf: ({task}) => task, statusOf: ({status}) => status})

/** The task a server has only named so far: it is queued, and everything else comes with the first question. */
export const namedRecord = (task: Task): TaskRecord => ({task, status: 'queued', reading: {artifacts: []}})

/** A listed task is known with its details, not by its id alone. */
export const newlyNamed = ({items}: Pick<TaskListContext, 'items'>, tasks: readonly NamedTask[]): TaskRecord[] =>
  tasks.filter(({id}) => items.every(({task}) => task.id !== id)).map(namedRecord)

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** The prompt of a request, as far as tools agree on its name; a recording that was sent alone goes by its file's. */
export const promptOf = (request: Record<string, unknown> | null | undefined): string =>
  [request?.prompt, request?.lyric, request?.title, request?.content].find(isText) ??
  (isText(request?.audio_url) ? nameInAddress(request.audio_url).replace(/(?<=.)\.[^.]*$/, '') : '')

export const traceOf = ({trace_id, response}: Task): string | undefined => {
  const trace = trace_id ?? response?.trace_id
  return typeof trace === 'string' ? trace : undefined
}

type TaskLists = Pick<TaskListContext, 'items' | 'gone' | 'removing'>

/** Tasks to poll: running ones that the server has. */
export const runningOf = ({items, gone, removing}: TaskLists) =>
  items.filter((record) => !isOver(record) && !gone.includes(record.task.id) && !removing.includes(record.task.id))

/** The task has started and has a price: deleted now, it is charged all the same. */
export const isDue = (record: TaskRecord) =>
  !isOver(record) && record.task.started_at != null && (record.task.credits?.held ?? 0) > 0

/** The request continues without the user. */
export const isSelfMoving = ({state}: Pick<PendingTask, 'state'>) => !['rejected', 'usedUp', 'unsure'].includes(state)
