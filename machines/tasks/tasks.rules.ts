import type {Task} from '#contract/task.ts'
import type {Artifact} from '#contract/media/media-tool.ts'
import {mostEnded, type EndedTask} from '#domain/ended-task.ts'
import {mergeItems} from '#domain/merge-tasks.ts'
import {nameInAddress} from '#domain/name-in-address.ts'
import type {NamedTask, PendingTask, TaskListContext, TaskRecord, TrayEntry} from './tasks.types.ts'

export const isOver = ({status}: TaskRecord) => status === 'succeeded' || status === 'failed'

export const mergeRecords = (known: TaskRecord[], arrived: readonly TaskRecord[]) =>
  mergeItems(known, arrived, {taskOf: ({task}) => task, statusOf: ({status}) => status})

/** The task a server has only named so far: it is queued, and everything else comes with the first question. */
export const namedRecord = (task: Task): TaskRecord => ({task, status: 'queued', reading: {artifacts: []}})

/** Of a task that is listed more is known than its name. */
export const newlyNamed = ({items}: Pick<TaskListContext, 'items'>, tasks: readonly NamedTask[]): TaskRecord[] =>
  tasks.filter(({id}) => items.every(({task}) => task.id !== id)).map(namedRecord)

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** The prompt of a request, as far as tools agree on its name; a recording that was sent alone goes by its file's. */
export const promptOf = (request: Record<string, unknown> | null | undefined): string =>
  [request?.prompt, request?.lyric, request?.title, request?.content].find(isText) ??
  (isText(request?.audio_url) ? nameInAddress(request.audio_url).replace(/(?<=.)\.[^.]*$/, '') : '')

/** What was asked for in words. Its tool has read them out of the request, where they stand among others there. */
const wordsOf = ({task, prompt}: TaskRecord) => prompt ?? promptOf(task.request)

type Asked = Record<string, unknown> | null | undefined
type Named<Item> = {requestOf: (item: Item) => Asked; wordsOf: (item: Item) => string}

/**
 * Names what was asked for without words, such as the video of a song, after the result that it is made of. The results of
 * `items` are looked through only when something has no words; a source stands before what was made of it.
 */
export function namesFrom<Item extends Pick<TaskRecord, 'reading'>>(
  items: readonly Item[],
  {requestOf, wordsOf}: Named<Item>,
) {
  let names: Map<unknown, string> | undefined
  return function nameOf(words: string, request: Asked): string {
    if (words !== '') return words
    if (names === undefined) {
      const known = (names = new Map<unknown, string>())
      for (const item of items) {
        const own = nameOf(wordsOf(item), requestOf(item))
        for (const {id, title = own} of item.reading.artifacts) if (id && title) known.set(id, title)
      }
    }
    const known = names
    return known.get(Object.values(request ?? {}).find((value) => known.has(value))) ?? ''
  }
}
const ofRecords: Named<TaskRecord> = {requestOf: ({task}) => task.request, wordsOf}
type Names = ReturnType<typeof namesFrom>

export const traceOf = ({trace_id, response}: Task): string | undefined => {
  const trace = trace_id ?? response?.trace_id
  return typeof trace === 'string' ? trace : undefined
}

type Listed = Pick<TaskListContext, 'items' | 'gone' | 'removing'>

/** Tasks that are asked for: those that run and that the server knows. */
export const runningOf = ({items, gone, removing}: Listed) =>
  items.filter((record) => !isOver(record) && !gone.includes(record.task.id) && !removing.includes(record.task.id))

/** The words of a request. What its form has for a prompt stands, as it was written, among what is sent. */
const writtenIn = ({submission: {body}, form}: PendingTask) => {
  const written = promptOf({prompt: form?.prompt}).trim()
  return written !== '' && typeof body.prompt === 'string' && body.prompt.includes(written) ? written : promptOf(body)
}

const requestEntry = (tool: string, request: PendingTask, name: Names): TrayEntry => ({
  tool,
  key: request.key,
  state: request.state,
  prompt: name(writtenIn(request), request.submission.body),
  at: request.at,
})

/** It has started and has a price: taken away now, it is charged all the same. */
export const isDue = (record: TaskRecord) =>
  !isOver(record) && record.task.started_at != null && (record.task.credits?.held ?? 0) > 0

type EntryState = {key: string; state: TrayEntry['state']; name: Names}

const taskEntry = (tool: string, record: TaskRecord, {key, state, name}: EntryState): TrayEntry => {
  const {task, reading} = record
  const traceId = traceOf(task)
  return {
    tool,
    key,
    id: task.id,
    ...(traceId === undefined ? {} : {traceId}),
    state,
    prompt: name(wordsOf(record), task.request),
    ...(reading.progress === undefined ? {} : {progress: reading.progress}),
    at: task.created_at,
  }
}

/** It goes on without the user. */
export const isSelfMoving = ({state}: Pick<TrayEntry, 'state'>) =>
  !['rejected', 'usedUp', 'unsure', 'gone'].includes(state)

type Waiting = {pending: readonly PendingTask[]; keys: Readonly<Record<string, string>>; isLost: boolean}

/** The entries of a list in the tray: running tasks, and requests that run or wait for the user. Oldest first. */
export const trayOf = (
  {ref, items, gone, removing}: Listed & Pick<TaskListContext, 'ref'>,
  {pending, keys, isLost}: Waiting,
): TrayEntry[] => {
  const name = namesFrom(items, ofRecords)
  const stateOf = ({task, status}: TaskRecord) => (gone.includes(task.id) ? 'gone' : isLost ? 'lost' : status)
  return [
    ...items
      .filter((record) => !isOver(record) && !removing.includes(record.task.id))
      .map((record) => {
        const {id} = record.task
        return taskEntry(ref.tool, record, {key: keys[id] ?? id, state: stateOf(record), name})
      }),
    ...pending.map((request) => requestEntry(ref.tool, request, name)),
  ]
}

/** A small image of a result: its poster, else the result itself where it is something to look at. */
function previewOf(artifact: Artifact | undefined): EndedTask['preview'] {
  if (artifact?.previewUrl !== undefined) return {medium: 'image', url: artifact.previewUrl}
  if (artifact?.url === undefined || (artifact.medium !== 'image' && artifact.medium !== 'video')) return undefined
  return {medium: artifact.medium, url: artifact.url}
}

const endOf = ({task}: TaskRecord) => task.finished_at ?? task.created_at

const endedEntry = (record: TaskRecord, name: Names): EndedTask => {
  const {task, status, reading} = record
  const [traceId, preview] = [traceOf(task), previewOf(reading.artifacts[0])]
  return {
    id: task.id,
    status: status === 'failed' ? 'failed' : 'succeeded',
    prompt: name(wordsOf(record), task.request),
    at: task.created_at,
    endedAt: task.finished_at ?? task.created_at,
    ...(traceId === undefined ? {} : {traceId}),
    ...(preview === undefined ? {} : {preview}),
  }
}

/** What of a list ended last, the last one first. */
export const endedOf = ({items, removing}: Pick<TaskListContext, 'items' | 'removing'>): EndedTask[] => {
  const last: TaskRecord[] = []
  for (const record of [...items].reverse()) {
    if (!isOver(record) || removing.includes(record.task.id)) continue
    const place = last.findIndex((other) => endOf(other) < endOf(record))
    if (place === -1) last.push(record)
    else last.splice(place, 0, record)
    if (last.length > mostEnded) last.pop()
  }
  const name = namesFrom(items, ofRecords)
  return last.map((record) => endedEntry(record, name))
}
