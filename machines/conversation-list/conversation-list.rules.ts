import {without} from '#machines/lib/keys.ts'
import {isRunning, mergeConversations} from '#domain/conversation-list.ts'
import type {CreditsFact} from '#domain/credits.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {replaceOrFront} from '#domain/replace-or-front.ts'
import {unsentAfter} from '#domain/versions.ts'
import {
  marksOf,
  awaitsCredits,
  isSameConversation,
  isSettled,
  type ConversationChange,
  type ConversationRecord,
} from '#domain/conversation.ts'
import type {FollowUpsChanged} from '#machines/conversation/conversation.types.ts'
import type {ConversationPagesOutput} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {
  conversationId,
  findingId,
  removalId,
  type ConversationHeard,
  type ConversationListContext,
  type UnreadHeard,
} from './conversation-list.types.ts'

/** The item a key or a server id names. */
export const findItem = ({items}: Pick<ConversationListContext, 'items'>, key: string) =>
  items.find((item) => item.key === key || item.id === key)

/** The items of these keys or server ids, by that name, with one walk of the list. */
export const itemsNamed = ({items}: Pick<ConversationListContext, 'items'>, names: readonly {key: string}[]) => {
  const wantedNames = new Set(names.map(({key}) => key))
  const byName = new Map<string, ConversationRecord>()
  const add = (name: string | undefined, item: ConversationRecord) => {
    if (name !== undefined && wantedNames.has(name) && !byName.has(name)) byName.set(name, item)
  }
  for (const item of items) {
    if (byName.size === wantedNames.size) break
    add(item.key, item)
    add(item.id, item)
  }
  return byName
}

/** The key of a conversation, by key or server id; what is not listed keeps the name it was asked by. */
export const keyOf = (context: Pick<ConversationListContext, 'items'>, key: string) =>
  findItem(context, key)?.key ?? key

type Phases = Pick<ConversationListContext, 'phases'>
export const isLive = ({phases}: Phases, key: string) => phases[key] !== undefined
export const liveKeys = ({phases}: Phases) => Object.keys(phases)
export const answeringKeys = ({phases}: Phases) => liveKeys({phases}).filter((key) => phases[key] === 'running')
export const withoutKeys = <Value>(record: Record<string, Value>, keys: readonly string[]): Record<string, Value> => {
  const goneKeys = new Set(keys)
  return Object.fromEntries(Object.entries(record).filter(([key]) => !goneKeys.has(key)))
}

/** The conversation of a key or server id, if it is listed. */
export const listedOf = (context: Pick<ConversationListContext, 'items'>, key: string) => {
  const item = findItem(context, key)
  return item === undefined ? [] : [item]
}

type ShownKeys = Pick<ConversationListContext, 'shown'>
/** On screen, by one of its names: the server's id where it is not listed yet. */
export const isShown = ({shown}: ShownKeys, ...names: (string | undefined)[]) => isAmong(shown, ...names)
const isAmong = (keys: readonly string[], ...names: (string | undefined)[]) => keys.some((key) => names.includes(key))

/** The keys on screen that leave when `next` is shown; a conversation that is being answered stays. */
export const leavingKeys = (context: ConversationListContext, next: readonly string[] = []) => {
  const staying = [...answeringKeys(context), ...next.map((key) => keyOf(context, key))]
  return without(context.shown, ...staying)
}

/** The conversations that need an actor: their answer still runs, or they are on screen. */
export const runningRecords = (context: ConversationListContext) =>
  context.items.filter(
    (item) => (isRunning(item) || isShown(context, item.key, item.id)) && !context.removing.includes(item.key),
  )

/** A conversation off the screen whose queue is empty needs no actor; one started for something else stays. */
export const drainedKeys = (context: ConversationListContext, {phase, record: {key}}: FollowUpsChanged) =>
  phase === 'settled' && context.phases[key] === 'running' && !isShown(context, key) ? [key] : []

/** Conversations whose question was refused recently for lack of credits, and that these credits can pay for. */
export const unpaidRecords = ({items, removing}: ConversationListContext, credits: CreditsFact) =>
  items.filter((item) => awaitsCredits(item, credits.at, credits) && !removing.includes(item.key))

/** Key of a conversation on screen that is neither listed nor new, and that the server may have. */
export const unlistedShown = (context: ConversationListContext) =>
  without(context.shown, ...context.absent).find((key) => findItem(context, key) === undefined && !isLive(context, key))

/** The list once the server's was read. What it lacks stays while its actor runs off screen, and if it is newer. */
export function listAfter(context: ConversationListContext, {kept, records}: ConversationPagesOutput) {
  const goneKeys = new Set(context.removed)
  return mergeConversations(
    context.items,
    records.filter(({key}) => !goneKeys.has(key)),
    ({key}) => (isLive(context, key) && !isShown(context, key)) || kept.every((item) => item.key !== key),
  )
}

/**
 * Unread conversations of a list that was read: also those whose answer ran when this browser last heard of it, and
 * ended meanwhile. What is gone is not unread.
 */
export const unreadAfter = (context: ConversationListContext, items: readonly ConversationRecord[]) => {
  const runningBefore = context.items.filter(isRunning)
  return items.flatMap((item) => {
    const {key, id, messages} = item
    const hasEnded = findItem({items: runningBefore}, key) !== undefined && !isRunning(item)
    const isNews = hasEnded && messages.at(-1)?.outcome !== 'stopped' && !isLive(context, key)
    return (isNews && !isShown(context, key, id)) || isAmong(context.unread, key, id) ? [key] : []
  })
}

/** Keys that another tab calls unread, and that are on screen here. */
export const seenOf = (context: ConversationListContext, {keys, isUnread}: UnreadHeard) =>
  isUnread ? keys.filter((id) => isShown(context, id, keyOf(context, id))) : []

/** Unread conversations once another tab has reported. */
export const unreadWith = (context: ConversationListContext, report: UnreadHeard) => {
  const own = without(report.keys, ...seenOf(context, report)).map((id) => keyOf(context, id))
  const others = without(context.unread, ...own)
  return report.isUnread ? [...others, ...own] : others
}

/** The listed conversations with these changes. */
export const changedItems = (
  context: Pick<ConversationListContext, 'items'>,
  changes: readonly ConversationChange[],
) => {
  const byName = itemsNamed(context, changes)
  const byKey = new Map(changes.map((change) => [byName.get(change.key)?.key, change]))
  return context.items.map((item) =>
    byKey.has(item.key) ? {...item, ...byKey.get(item.key), key: item.key, revision: undefined} : item,
  )
}

/** The changes since the last reading, with these. */
export const changedWith = (
  {items, changed}: Pick<ConversationListContext, 'items' | 'changed'>,
  changes: readonly ConversationChange[],
): Record<string, ConversationChange> => {
  const byName = itemsNamed({items}, changes)
  const next = {...changed}
  for (const change of changes) {
    const key = byName.get(change.key)?.id ?? change.key
    next[key] = {...next[key], ...change, key}
  }
  return next
}

/**
 * A conversation's own actor knows no marks, and no versions that no server has but the one that it shows; its record is
 * no copy of the server's.
 */
export const withMarks = (context: Pick<ConversationListContext, 'items'>, record: ConversationRecord) => {
  const item = findItem(context, record.key) ?? record
  return {
    ...marksOf(item),
    ...record,
    unsentVersions: unsentAfter(item, record.messages),
    revision: undefined,
  }
}

export const newRecord = (key: string, model: string): ConversationRecord => ({key, model, messages: [], updatedAt: 0})

/** Other items of the same conversation: asked by a page that was left, and listed by the server under its own name. */
export const twinsOf = ({items}: Pick<ConversationListContext, 'items'>, record: ConversationRecord) =>
  items.flatMap((item) => (item.key !== record.key && isSameConversation(item, record) ? [item.key] : []))

export const shownTwin = (context: Pick<ConversationListContext, 'items'> & ShownKeys, record: ConversationRecord) =>
  twinsOf(context, record).find((key) => isShown(context, key))

/** The list with a copy of the server; the report of an answer that runs here waits until that has ended. */
export function listWith(context: ConversationListContext, record: ConversationRecord) {
  const own = context.items.find((item) => isSameConversation(item, record))
  const merged = own === undefined ? record : mergeConversation(own, record)
  const report = reportOf(record)
  return {
    items: replaceOrFront(context.items, merged, isSameConversation),
    ...(report !== undefined && isAnsweredHere(context, report) && {missed: withMissed(context.missed, report)}),
  }
}

/** The report of a change to the other tabs; undefined where the server has not named conversation and answer. */
export function reportOf({id, messages}: ConversationRecord): ConversationHeard | undefined {
  const last = messages.at(-1)
  // of a refusal they would read the server's copy, and store that over ours
  if (id === undefined || !last?.id || last.attempt === undefined || last.unsent === true) return undefined
  return {type: 'conversation.heard', id, last: last.id, isSettled: isSettled(last)}
}

/** A running answer is followed where it is on screen; elsewhere its end is early enough, and streams are few. */
export function isNews(context: ConversationListContext, report: ConversationHeard) {
  const {id, last, isSettled: isTheirs} = report
  const item = findItem(context, id)
  const key = item?.key ?? id
  if (context.removed.includes(id) || isMissed(context, report)) return false
  if (!isTheirs && !isShown(context, key, id)) return false
  const own = item?.messages.at(-1)
  return last === undefined || own?.id !== last || (isTheirs && !isSettled(own))
}

/** The newest report of an answer replaces an older one of the same answer. */
export const withMissed = (missed: readonly ConversationHeard[], report: ConversationHeard) => [
  ...missed.filter(({id, last}) => id !== report.id || last !== report.last),
  report,
]

/** The own copy has not got this answer, or not its end; of other changes it is not known. */
export function lacksAnswer(context: ConversationListContext, {id, last, isSettled: isTheirs}: ConversationHeard) {
  if (last === undefined) return true
  const answer = findItem(context, id)?.messages.find((message) => message.id === last)
  return answer === undefined || (isTheirs && !isSettled(answer))
}

/** Another tab reports a change of a conversation that is answering here: its order to our own change is unknown. */
const isAnsweredHere = (context: ConversationListContext, {id}: ConversationHeard) =>
  answeringKeys(context).includes(keyOf(context, id))

/** A report that has to wait: until the own answer has ended, or until the copy that is on its way has come. */
export const isMissed = (context: ConversationListContext, report: ConversationHeard) =>
  isAnsweredHere(context, report) || context.finding.includes(report.id)

/** Its last answer failed. One that runs again is not in the list as failed. */
export function isRetriable(context: ConversationListContext, key: string) {
  const item = findItem(context, key)
  return item?.messages.at(-1)?.state === 'failed' && !context.removing.includes(item.key)
}

/** Those that are as new as the newest listed one: the server may be about to name them. */
export const newestOf = (
  {items}: Pick<ConversationListContext, 'items'>,
  records: readonly ConversationRecord[],
): ConversationRecord[] => {
  const newest = Math.max(...items.map(({updatedAt}) => updatedAt))
  return records.filter(({updatedAt}) => updatedAt >= newest)
}

/** Its first answer has ended, and the server is about to name it. The sandbox names nothing. */
export function awaitsName({capabilities}: Pick<ConversationListContext, 'capabilities'>, record: ConversationRecord) {
  const answers = record.messages.filter(({role}) => role === 'assistant')
  return (
    capabilities.includes('naming') &&
    record.id !== undefined &&
    record.title === undefined &&
    answers.length === 1 &&
    answers[0]?.state === 'finished' &&
    answers[0].sandbox !== true
  )
}

/** Deletions have ended, or were taken back. */
export const withoutRemoval = ({removing, undoable}: ConversationListContext, ...keys: readonly string[]) => ({
  removing: without(removing, ...keys),
  undoable: without(undoable, ...keys),
})

/** Listed conversations, each with the questions that another tab said wait in it before it was listed here. */
export const withQueues = ({queues}: Pick<ConversationListContext, 'queues'>, items: ConversationRecord[]) => ({
  items: items.map((item) => {
    const followUps = queues[item.id ?? '']
    return followUps === undefined ? item : {...item, followUps}
  }),
  queues: withoutKeys(
    queues,
    items.map(({id}) => id ?? ''),
  ),
})

/** The server has these no more; given by key or by id. */
export function withoutDeleted(context: ConversationListContext, keysOrIds: readonly string[]) {
  const keys = keysOrIds.map((name) => keyOf(context, name))
  const names = new Set([...keys, ...keys.map((key) => findItem(context, key)?.id ?? key)])
  const goneKeys = new Set(keys)
  return {
    ...withoutRemoval(context, ...keys),
    removed: [...context.removed, ...names],
    items: context.items.filter(({key}) => !goneKeys.has(key)),
    unread: without(context.unread, ...names),
  }
}

/** Some of these are deleted on the server, or about to be, so that no undo reaches them. */
export const isPastUndo = ({removing, removed, undoable}: ConversationListContext, keys: readonly string[]) =>
  without(keys, ...undoable).some((key) => removing.includes(key) || removed.includes(key))

/** A child broke; what it worked on is as if it had not been begun. */
export const withoutChild = (context: ConversationListContext, actorId: string) => {
  const key = actorId.slice(actorId.indexOf('/') + 1)
  return {
    phases: actorId === conversationId(key) ? withoutKeys(context.phases, [key]) : context.phases,
    finding: actorId === findingId(key) ? without(context.finding, key) : context.finding,
    ...(actorId === removalId(key) ? withoutRemoval(context, key) : {}),
  }
}
