import {isSameConversation, isSettled, queuedQuestion, type ConversationRecord} from './conversation.ts'
import {mergeConversation} from './merge-conversation.ts'

/** A conversation whose last answer has not settled, or in which a question waits to be asked. */
export const isRunning = ({messages}: ConversationRecord) => {
  const last = messages.at(-1)
  if (queuedQuestion(messages) !== undefined) return true
  return last?.role === 'assistant' && !isSettled(last)
}

/** A conversation the server has never named: its first question was refused or is on its way. */
const isLocal = ({id, messages}: ConversationRecord) => id === undefined && messages.length > 0

/** No server has all of it: a list that cannot be read does not take it away (security R42). */
export const isOurs = (record: ConversationRecord) =>
  isRunning(record) || isLocal(record) || record.messages.some(({unsent}) => unsent === true)

/**
 * The server's list laid over ours: server's order, each one merged with our copy. Ours stay when they run, when the
 * server does not know them yet, or when `isKept` says so; those come first.
 */
export function mergeConversations(
  ours: readonly ConversationRecord[],
  theirs: readonly ConversationRecord[],
  isKept: (record: ConversationRecord) => boolean,
): ConversationRecord[] {
  const merged = theirs.map((record) => {
    const own = ours.find((other) => isSameConversation(other, record))
    return own === undefined ? record : mergeConversation(own, record)
  })
  const extra = ours.filter(
    (record) =>
      !theirs.some((other) => isSameConversation(record, other)) &&
      (isRunning(record) || isLocal(record) || isKept(record)),
  )
  return [...extra, ...merged]
}
