import {isSettled, messageText, type ConversationRecord, type RecordMessage} from './conversation.ts'

/** A server names a question when it takes it: one that was not sent is known by its text alone. */
const isSameMessage = (ours: RecordMessage, theirs: RecordMessage) =>
  ours.role === theirs.role &&
  (ours.id && theirs.id && ours.unsent !== true
    ? ours.id === theirs.id
    : messageText(ours.content) === messageText(theirs.content))

/** One message in two copies: a settled one never goes back to running, else the server's counts (decision 27). */
export function mergeMessage(ours: RecordMessage, theirs: RecordMessage): RecordMessage {
  if (isSettled(ours) && !isSettled(theirs)) return ours
  return ours.state === 'finished' && theirs.state === 'failed' ? ours : theirs
}

/** Whether no server has the message: a question that was refused or waits, one on its way, and what stands below it. */
function isOnlyHere(messages: readonly RecordMessage[], index: number): boolean {
  const last = messages.at(-1)
  const isAsking = last?.role === 'assistant' && !isSettled(last) && last.attempt == null
  return messages[index]?.unsent === true || (isAsking && index >= messages.length - 2)
}

/**
 * Both copies went on differently. The server's history is kept whole and in order. Of ours only what no server has is
 * added: before the message that follows it in ours, else at the end.
 */
function mergeDiverged(ours: readonly RecordMessage[], theirs: readonly RecordMessage[]): RecordMessage[] {
  const merged: RecordMessage[] = []
  let held: RecordMessage[] = []
  let next = 0
  for (const [index, message] of ours.entries()) {
    const isReply = message.role === 'assistant' && isOnlyHere(ours, index)
    const isHeld = isReply && held.includes(ours[index - 1] ?? message)
    const place = isReply ? -1 : theirs.findIndex((other, at) => at >= next && isSameMessage(message, other))
    const counterpart = theirs[place]
    if (counterpart === undefined) {
      if (isHeld || (!isReply && isOnlyHere(ours, index))) held.push(message)
      continue
    }
    merged.push(...theirs.slice(next, place), ...held, mergeMessage(message, counterpart))
    held = []
    next = place + 1
  }
  return [...merged, ...theirs.slice(next), ...held]
}

/**
 * The server's copy of a conversation laid over ours. The server's history wins; what it never stored (a question
 * that was refused before it was accepted, or one younger than its copy) is kept.
 */
function mergeMessages(
  ours: readonly RecordMessage[],
  theirs: readonly RecordMessage[],
  oursIsYounger = false,
): RecordMessage[] {
  const shared = theirs.every((message, index) => {
    const counterpart = ours[index]
    return counterpart !== undefined && isSameMessage(counterpart, message)
  })
  if (!shared) return mergeDiverged(ours, theirs)
  const merged = theirs.map((message, index) => mergeMessage(ours[index] ?? message, message))
  const rest = ours.slice(theirs.length)
  const isKeptWhole = oursIsYounger || rest.some(({state}) => state === 'failed')
  return [...merged, ...rest.filter((_, index) => isKeptWhole || isOnlyHere(ours, theirs.length + index))]
}

/** A conversation in two copies; `key` stays ours, the younger time wins. */
export const mergeConversation = (ours: ConversationRecord, theirs: ConversationRecord): ConversationRecord => ({
  ...ours,
  ...theirs,
  key: ours.key,
  messages: mergeMessages(ours.messages, theirs.messages, ours.updatedAt > theirs.updatedAt),
  updatedAt: Math.max(ours.updatedAt, theirs.updatedAt),
})
