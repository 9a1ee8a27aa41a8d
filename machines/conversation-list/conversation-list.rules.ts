import {isSameConversation, isSettled, withoutQueue, type ConversationRecord} from '#domain/conversation.ts'
import {
  conversationId,
  findingId,
  removalId,
  type ConversationHeard,
  type ConversationListContext,
  type ConversationPage,
} from './conversation-list.types.ts'

export const without = (keys: readonly string[], ...gone: (string | undefined)[]) =>
  keys.filter((key) => !gone.includes(key))
export const withKey = (keys: readonly string[], key: string) => (keys.includes(key) ? [...keys] : [...keys, key])

/** The item a key or a server id names. */
export const findItem = ({items}: Pick<ConversationListContext, 'items'>, key: string) =>
  items.find((item) => item.key === key || item.id === key)

/** What an earlier page deleted, under the keys that this page knows it by. */
export function keysToRemove(items: ConversationRecord[], ids: readonly string[]) {
  const keys = ids.map((id) => findItem({items}, id)?.key ?? id)
  return {removing: keys, unconfirmed: keys}
}

/** Those whose actor runs. */
export const removalsOf = ({removing, unconfirmed}: Pick<ConversationListContext, 'removing' | 'unconfirmed'>) =>
  removing.filter((key) => !unconfirmed.includes(key))

/** What a page has that the pages before it had not. */
export const newOf = ({pages}: Pick<ConversationListContext, 'pages'>, {records}: ConversationPage) =>
  records.filter(({key}) => pages.every((known) => known.key !== key))

export const newRecord = (key: string, model: string): ConversationRecord => ({key, model, messages: [], updatedAt: 0})

/** Other items of the same conversation: asked by a page that was left, and listed by the server under its own name. */
export const twinsOf = ({items}: Pick<ConversationListContext, 'items'>, record: ConversationRecord) =>
  items.flatMap((item) => (item.key !== record.key && isSameConversation(item, record) ? [item.key] : []))

export const shownTwin = (context: Pick<ConversationListContext, 'items' | 'active'>, record: ConversationRecord) =>
  twinsOf(context, record).find((key) => key === context.active)

/** What the other tabs hear of a change; nothing while the server has not named conversation and answer. */
export function reportOf({id, messages}: ConversationRecord): ConversationHeard | undefined {
  const last = withoutQueue(messages).at(-1)
  if (id === undefined || !last?.id || last.attempt === undefined) return undefined
  return {type: 'conversation.heard', id, last: last.id, isSettled: isSettled(last)}
}

/** A running answer is followed where it is on screen; elsewhere its end is early enough, and streams are few. */
export function isNews(context: ConversationListContext, heard: ConversationHeard) {
  const {id, last, isSettled: isTheirs} = heard
  const item = findItem(context, id)
  const key = item?.key ?? id
  if (context.removed.includes(id) || isMissed(context, heard)) return false
  if (!isTheirs && context.active !== key && context.active !== id) return false
  const own = withoutQueue(item?.messages ?? []).at(-1)
  return own?.id !== last || (isTheirs && !isSettled(own))
}

/** The newest report of an answer replaces an older one of the same answer. */
export const withMissed = (missed: readonly ConversationHeard[], heard: ConversationHeard) => [
  ...missed.filter(({id, last}) => id !== heard.id || last !== heard.last),
  heard,
]

/** The own copy has not got this answer, or not its end. */
export function lacksAnswer(context: ConversationListContext, {id, last, isSettled: isTheirs}: ConversationHeard) {
  const answer = findItem(context, id)?.messages.find((message) => message.id === last)
  return answer === undefined || (isTheirs && !isSettled(answer))
}

/** What another tab told of a conversation that is answered here: its own change comes after it, or before. */
export const isAnsweredHere = (context: ConversationListContext, {id}: ConversationHeard) =>
  context.answering.includes(findItem(context, id)?.key ?? id)

/** A report that has to wait: until the own answer has ended, or until the copy that is on its way has come. */
export const isMissed = (context: ConversationListContext, heard: ConversationHeard) =>
  isAnsweredHere(context, heard) || context.finding.includes(heard.id)

/** Its last answer failed. One that runs again is not in the list as failed. */
export function isRetriable(context: ConversationListContext, key: string) {
  const item = findItem(context, key)
  return item?.messages.at(-1)?.state === 'failed' && !context.removing.includes(item.key)
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

/** A child broke; what it worked on is as if it had not been begun. */
export function withoutChild(context: ConversationListContext, actorId: string) {
  const key = actorId.slice(actorId.indexOf('/') + 1)
  const isConversation = actorId === conversationId(key)
  return {
    live: isConversation ? without(context.live, key) : context.live,
    answering: isConversation ? without(context.answering, key) : context.answering,
    crashed: isConversation ? withKey(context.crashed, key) : context.crashed,
    finding: actorId === findingId(key) ? without(context.finding, key) : context.finding,
    removing: actorId === removalId(key) ? without(context.removing, key) : context.removing,
  }
}
