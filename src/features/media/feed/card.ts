import type {MediaTool, Reading} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import type {Failure} from '#domain/failure.ts'
import {failureOf} from '#domain/task-status.ts'
import {isDue, namesFrom, promptOf, traceOf} from '#machines/tasks/tasks.rules.ts'
import type {TaskCard} from '#machines/tasks/tasks.selectors.ts'
import type {PendingState, PendingTask, TaskStatus} from '#machines/tasks/tasks.types.ts'

/**
 * What a card shows. Besides what the task says of itself: `gone` (the server does not know it any more) and `lost` (it
 * ran when it was last heard of, and the server cannot be asked now).
 */
export type CardState = PendingState | TaskStatus | 'gone' | 'lost'

/** One request or task as a card. The same object while nothing of it changes. */
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
  prompt: string
  request: Record<string, unknown>
  reading: Reading
  /** When it was asked for, in unix seconds of the server's clock. */
  at: number
  finishedAt: number | undefined
  failure: Failure | undefined
  /** It has started and has a price: deleted now, it is charged all the same. */
  isDue: boolean
  /** Who made it, as far as the server says so, and whether that was no model at all. */
  provider: string | undefined
  isSandbox: boolean
  /** What was put aside for it and, since it ended, what was charged of that; as far as the server says so. */
  credits: {held: number; settled: number | undefined} | undefined
}

const none: Reading = {artifacts: []}
const running: readonly TaskStatus[] = ['queued', 'running', 'checking']

type CardTool = Pick<MediaTool, 'identity' | 'reuse'>

const cards = new WeakMap<TaskCard, Card>()

/** A card as it is shown. `tool` is the one whose list it is of. */
export function cardOf(tool: CardTool, listed: TaskCard): Card {
  const known = cards.get(listed)
  if (known !== undefined) return known
  const card = listed.kind === 'task' ? cardOfTask(tool, listed) : cardOfRequest(tool, listed.request)
  cards.set(listed, card)
  return card
}

/** What was asked for in words, without what a tool puts among them on the wire. */
const wordsOf = ({reuse}: CardTool, request: Record<string, unknown>, type?: string | null) =>
  promptOf(reuse?.(request, type ?? undefined) ?? request)

function cardOfTask(tool: CardTool, {key, record, isGone, isLost}: Extract<TaskCard, {kind: 'task'}>): Card {
  const {task, status, reading} = record
  return {
    key,
    id: task.id,
    traceId: traceOf(task),
    tool: tool.identity.id,
    type: task.type ?? undefined,
    state: !running.includes(status) ? status : isGone ? 'gone' : isLost ? 'lost' : status,
    prompt: wordsOf(tool, task.request ?? {}, task.type),
    request: task.request ?? {},
    reading,
    at: task.created_at,
    finishedAt: task.finished_at ?? undefined,
    failure: status === 'failed' ? failureOf(task) : undefined,
    isDue: isDue(record),
    provider: task.response?.provider,
    isSandbox: task.response?.sandbox === true,
    credits: creditsOf(task),
  }
}

const creditsOf = ({credits}: Task) => credits && {held: credits.held, settled: credits.settled ?? undefined}

const cardOfRequest = (tool: CardTool, {key, submission, at, state, failure}: PendingTask): Card => ({
  key,
  id: undefined,
  traceId: failure?.traceId,
  tool: tool.identity.id,
  type: undefined,
  state,
  prompt: wordsOf(tool, submission.body),
  request: submission.body,
  reading: none,
  at,
  finishedAt: undefined,
  failure,
  isDue: false,
  provider: undefined,
  isSandbox: false,
  credits: undefined,
})

const worded = new WeakMap<Card, Card>()

/**
 * What was asked for without words, such as a larger image of one of four, goes by the words of the result it was made
 * of. `cards` are ascending: a source stands before what was made of it.
 */
function withWords(cards: readonly Card[]): Card[] {
  const name = namesFrom(cards, {requestOf: ({request}) => request, wordsOf: ({prompt}) => prompt})
  return cards.map((card) => {
    const prompt = name(card.prompt, card.request)
    if (prompt === card.prompt) return card
    const known = worded.get(card)
    const named = known?.prompt === prompt ? known : {...card, prompt}
    worded.set(card, named)
    return named
  })
}

/** The cards of a list, newest first: the list itself is ascending (spec §3). */
export const newestFirst = (tool: CardTool, listed: readonly TaskCard[]): Card[] =>
  withWords(listed.map((each) => cardOf(tool, each))).sort((one, other) => other.at - one.at)

const busyStates = new Set<CardState>(['sending', 'offline', 'looking', 'queued', 'running', 'checking', 'lost'])
const failedStates = new Set<CardState>(['failed', 'rejected', 'usedUp', 'unsure', 'gone'])

export const isBusy = ({state}: Card) => busyStates.has(state)
export const isFailed = ({state}: Card) => failedStates.has(state)

export type FeedFilter = 'all' | 'busy' | 'failed' | 'favourites'
/** `marked`: ids of the tasks of which something is a favourite. */
export function filterCards(cards: readonly Card[], filter: FeedFilter, marked: ReadonlySet<string>): readonly Card[] {
  if (filter === 'all') return cards
  if (filter === 'favourites') return cards.filter(({id}) => id !== undefined && marked.has(id))
  return cards.filter(filter === 'busy' ? isBusy : isFailed)
}

/** Cards of one day, in local time. */
export type DaySection = {day: number; cards: Card[]}

const startOfDay = (seconds: number) => new Date(seconds * 1_000).setHours(0, 0, 0, 0)

/** Cards, newest first, under the days they were asked for. `day` is the local midnight in milliseconds. */
export function daySections(cards: readonly Card[]): DaySection[] {
  const sections: DaySection[] = []
  for (const card of cards) {
    const day = startOfDay(card.at)
    const last = sections.at(-1)
    if (last?.day === day) last.cards.push(card)
    else sections.push({day, cards: [card]})
  }
  return sections
}

/** Whole days between a section and now: 0 is today, 1 yesterday. */
export const daysAgo = (day: number, now: number): number => Math.round((startOfDay(now) - day) / 86_400_000)
