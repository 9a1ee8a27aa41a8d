import {weakMapMemoize} from 'reselect'
import type {Artifact, AnswerReading} from '#contract/media/media-tool.ts'
import {mostEnded, type EndedTask} from '#domain/ended-task.ts'
import type {Failure} from '#domain/failure.ts'
import {failureOf, type TaskStatus} from '#domain/task-status.ts'
import {selectPendingRequests} from '#machines/task-requests/task-requests.selectors.ts'
import {isDue, promptOf, traceOf} from '#machines/tasks/tasks.rules.ts'
import type {PendingState} from '#machines/submission/submission.types.ts'
import type {TaskRequestsSnapshot} from '#machines/task-requests/task-requests.machine.ts'
import type {PendingTask} from '#machines/task-requests/task-requests.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {TaskListSnapshot} from './task-list.machine.ts'

/**
 * The state that a card shows. Two states are not of the task itself: `gone` (the server does not know it any more)
 * and `lost` (it ran when it was last heard of, and the server cannot be asked now). Whether it is stalled is a matter
 * of time: `isStalled` of `#domain/poll-rules.ts`.
 */
export type CardState = PendingState | TaskStatus | 'gone' | 'lost'

/** One request or task as every view shows it. The same object while nothing of it changes. */
export type Card = {
  /** The same before and after the server names the task. */
  key: string
  /** The server's id, once there is one. */
  id: string | undefined
  traceId: string | undefined
  tool: string
  /** `type` of the task, where the tool makes several kinds. */
  type: string | undefined
  state: CardState
  /** The user's prompt. A task without a prompt, such as a larger image of one of four, has that of its source. */
  prompt: string
  request: Record<string, unknown>
  reading: AnswerReading
  /** When it was asked for, in unix seconds of the server's clock. */
  at: number
  finishedAt: number | undefined
  failure: Failure | undefined
  /** The task has started and has a price: deleted now, it is charged all the same. */
  isDue: boolean
  /** The provider that made the result, as far as the server names it, and whether it was the sandbox. */
  provider: string | undefined
  isSandbox: boolean
  /** Credits on hold for the task and, after its end, the part that was charged; if the server reports them. */
  credits: {held: number; settled: number | undefined} | undefined
}

const pendingOf = (requests: TaskRequestsSnapshot | undefined): PendingTask[] =>
  requests === undefined ? [] : selectPendingRequests(requests)

/** The requests of a list that have no task yet. They change without the list: views look at `requests` as well. */
export const selectPending = ({children}: TaskListSnapshot): PendingTask[] =>
  pendingOf(children.requests?.getSnapshot())

/** The request with this key, while it has no task. */
export const selectPendingOf = (list: TaskListSnapshot, key: string) =>
  selectPending(list).find((each) => each.key === key)

const none: Record<string, string> = {}
const keysOf = (requests: TaskRequestsSnapshot | undefined): Record<string, string> => requests?.context.keys ?? none

/** The key of a task that was sent from here, by its id. */
export const selectKeys = ({children}: TaskListSnapshot): Record<string, string> =>
  keysOf(children.requests?.getSnapshot())

/** The prompt of a request: that of its form, if the sent prompt contains it unchanged; else the sent one. */
const wordsOf = ({submission: {body}, form}: PendingTask) => {
  const writtenPrompt = promptOf({prompt: form?.prompt}).trim()
  return writtenPrompt !== '' && typeof body.prompt === 'string' && body.prompt.includes(writtenPrompt)
    ? writtenPrompt
    : promptOf(body)
}

const cardOfTask = weakMapMemoize((record: TaskRecord, tool: string): Card => {
  const {task, status, reading, prompt} = record
  const {credits} = task
  return {
    key: task.id,
    id: task.id,
    traceId: traceOf(task),
    tool,
    type: task.type ?? undefined,
    state: status,
    // its tool has read the words out of the request, where they stand among others there
    prompt: prompt ?? promptOf(task.request),
    request: task.request ?? {},
    reading,
    at: task.created_at,
    finishedAt: task.finished_at ?? undefined,
    failure: status === 'failed' ? failureOf(task) : undefined,
    isDue: isDue(record),
    provider: task.response?.provider,
    isSandbox: task.response?.sandbox === true,
    credits: credits && {held: credits.held, settled: credits.settled ?? undefined},
  }
})

const nothing: AnswerReading = {artifacts: []}

const cardOfRequest = weakMapMemoize((request: PendingTask, tool: string): Card => {
  const {key, submission, at, state, failure} = request
  return {
    key,
    id: undefined,
    traceId: failure?.traceId,
    tool,
    type: undefined,
    state,
    prompt: wordsOf(request),
    request: submission.body,
    reading: nothing,
    at,
    finishedAt: undefined,
    failure,
    isDue: false,
    provider: undefined,
    isSandbox: false,
    credits: undefined,
  }
})

/** A card of a task with what the list knows besides. */
const amendedCard = weakMapMemoize((card: Card, key: string, state: CardState, prompt: string): Card => ({
  ...card,
  key,
  state,
  prompt,
}))

/**
 * Gives a task without a prompt, such as the video of a song, the title of its source. The results of `cards` are
 * searched only for such tasks; a source comes before its results.
 */
function namesFrom(cards: readonly Card[]) {
  let names: Map<unknown, string> | undefined
  return function nameOf({prompt, request}: Card): string {
    if (prompt !== '') return prompt
    if (names === undefined) {
      const byResult = (names = new Map<unknown, string>())
      for (const card of cards) {
        const own = nameOf(card)
        for (const {id, title = own} of card.reading.artifacts) if (id && title) byResult.set(id, title)
      }
    }
    const byResult = names
    return byResult.get(Object.values(request).find((value) => byResult.has(value))) ?? ''
  }
}

const running: readonly CardState[] = ['queued', 'running', 'checking']

function cardsOf(snapshot: TaskListSnapshot, requestsSnapshot: TaskRequestsSnapshot | undefined): readonly Card[] {
  const {items, removing, gone, ref} = snapshot.context
  const keys = keysOf(requestsSnapshot)
  // running tasks cannot be asked for: contact is lost, or the tool cannot be set up
  const isUnheard = snapshot.hasTag('lost') || snapshot.hasTag('missing')
  const stateOf = ({key: id, state}: Card) => {
    if (!running.includes(state)) return state
    return gone.includes(id) ? 'gone' : isUnheard ? 'lost' : state
  }
  const tasks = items.map((record) => cardOfTask(record, ref.tool))
  const requests = pendingOf(requestsSnapshot).map((request) => cardOfRequest(request, ref.tool))
  const nameOf = namesFrom(tasks)
  const amended = (card: Card) => {
    const [key, state, prompt] = [keys[card.key] ?? card.key, stateOf(card), nameOf(card)]
    const isSame = key === card.key && state === card.state && prompt === card.prompt
    return isSame ? card : amendedCard(card, key, state, prompt)
  }
  return [...tasks.filter(({key: id}) => !removing.includes(id)), ...requests]
    .map(amended)
    .sort((one, other) => other.at - one.at)
}

const isSameList = <Item>(one: readonly Item[], other: readonly Item[]) =>
  one.length === other.length && one.every((item, index) => item === other[index])

const sameCards = weakMapMemoize(cardsOf, {resultEqualityCheck: isSameList})

/** Requests and tasks of a tool, newest first, for all views. The same array while no card changes. */
export const selectCards = (list: TaskListSnapshot): readonly Card[] =>
  sameCards(list, list.children.requests?.getSnapshot())

/** A small image of a result: its poster, else the result itself where it is something to look at. */
function previewOf(artifact: Artifact | undefined): EndedTask['preview'] {
  if (artifact?.previewUrl !== undefined) return {medium: 'image', url: artifact.previewUrl}
  if (artifact?.url === undefined || (artifact.medium !== 'image' && artifact.medium !== 'video')) return undefined
  return {medium: artifact.medium, url: artifact.url}
}

const endOf = ({finishedAt, at}: Card) => finishedAt ?? at

const endedTask = (card: Card & {id: string}): EndedTask => {
  const {id, state, prompt, at, traceId, reading} = card
  const preview = previewOf(reading.artifacts[0])
  return {
    id,
    status: state === 'failed' ? 'failed' : 'succeeded',
    prompt,
    at,
    endedAt: endOf(card),
    ...(traceId === undefined ? {} : {traceId}),
    ...(preview === undefined ? {} : {preview}),
  }
}

const isActive = ({state}: Card) => state !== 'succeeded' && state !== 'failed'

/** Running requests and tasks, and those that wait for the user. */
export const activeOf = (cards: readonly Card[]): Card[] => cards.filter(isActive)

/** The tasks that ended, the last one first. */
export const endedOf = (cards: readonly Card[]): EndedTask[] =>
  cards
    .filter((card): card is Card & {id: string} => card.id !== undefined && !isActive(card))
    .sort((one, other) => endOf(other) - endOf(one))
    .slice(0, mostEnded)
    .map(endedTask)

export const selectTotal = ({context}: TaskListSnapshot) => context.total
export const selectHasItems = ({context}: TaskListSnapshot) => context.items.length > 0
/** There is no token: a step of set-up, not a fault. */
export const selectNeedsSetup = (snapshot: TaskListSnapshot) => snapshot.hasTag('missing')
