import {isSettled, messageText, type ConversationRecord, type RecordMessage} from './conversation.ts'
import {longerText} from './exchange.ts'

const isSameMessage = (ours: RecordMessage, theirs: RecordMessage) =>
  ours.role === theirs.role &&
  (ours.id && theirs.id ? ours.id === theirs.id : messageText(ours.content) === messageText(theirs.content))

/** One message in two copies: a settled one never goes back to running, a failed one keeps its longer text. */
export function mergeMessage(ours: RecordMessage, theirs: RecordMessage): RecordMessage {
  if (isSettled(ours) && !isSettled(theirs)) return ours
  if (ours.state === 'finished' && theirs.state === 'failed') return ours
  if (theirs.state !== 'failed' || typeof ours.content !== 'string' || typeof theirs.content !== 'string') return theirs
  return {...theirs, content: longerText(ours.content, theirs.content)}
}

/**
 * The server's copy of a conversation laid over ours. The server's history wins; what it never stored (a question
 * that was refused before it was accepted, or one younger than its copy) stays at the end of ours.
 */
function mergeMessages(
  ours: readonly RecordMessage[],
  theirs: readonly RecordMessage[],
  oursIsYounger = false,
): RecordMessage[] {
  const merged = theirs.map((message, index) => {
    const counterpart = ours[index]
    return counterpart && isSameMessage(counterpart, message) ? mergeMessage(counterpart, message) : message
  })
  const shared = theirs.every((message, index) => {
    const counterpart = ours[index]
    return counterpart !== undefined && isSameMessage(counterpart, message)
  })
  const rest = shared ? ours.slice(theirs.length) : []
  return oursIsYounger || rest.some(({state}) => state === 'failed') ? [...merged, ...rest] : merged
}

/** A conversation in two copies; `key` stays ours, the younger time wins. */
export const mergeConversation = (ours: ConversationRecord, theirs: ConversationRecord): ConversationRecord => ({
  ...ours,
  ...theirs,
  key: ours.key,
  messages: mergeMessages(ours.messages, theirs.messages, ours.updatedAt > theirs.updatedAt),
  updatedAt: Math.max(ours.updatedAt, theirs.updatedAt),
})
