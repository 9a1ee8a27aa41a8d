import {isSettled, messageText, type ConversationRecord, type RecordMessage} from './conversation.ts'
import {isVersionOf, unsentAfter, unsentLength, unsentOf} from './versions.ts'

/** A server names a question when it accepts it: an unsent one is recognized by its text. */
const isSameMessage = (ours: RecordMessage, theirs: RecordMessage) =>
  ours.role === theirs.role &&
  (ours.id && theirs.id && ours.unsent !== true
    ? ours.id === theirs.id
    : messageText(ours.content) === messageText(theirs.content))

/**
 * Merges two copies of a message: a settled one never returns to running, else the server's wins (decision 27). That it
 * is deleted here no server knows, nor every server when it was asked.
 */
export function mergeMessage(ours: RecordMessage, theirs: RecordMessage): RecordMessage {
  const isOurs = (isSettled(ours) && !isSettled(theirs)) || (ours.state === 'finished' && theirs.state === 'failed')
  const message = isOurs ? ours : theirs
  const removing = theirs.removing ?? ours.removing
  const createdAt = theirs.created_at ?? ours.created_at
  return removing === message.removing && createdAt === message.created_at
    ? message
    : {...message, removing, created_at: createdAt}
}

/** Whether no server has the message: a refused or in-flight question, and the messages below it. */
function isOnlyHere(messages: readonly RecordMessage[], index: number): boolean {
  const last = messages.at(-1)
  const isAsking = last?.role === 'assistant' && !isSettled(last) && last.attempt == null
  return messages[index]?.unsent === true || (isAsking && index >= messages.length - 2)
}

/**
 * Both copies continued differently. The server's history is kept whole and in order. Of ours, only messages that no
 * server has are added: before the message that follows them in ours, else at the end.
 */
function mergeDiverged(ours: readonly RecordMessage[], theirs: readonly RecordMessage[]): RecordMessage[] {
  const result: RecordMessage[] = []
  let heldMessages: RecordMessage[] = []
  let next = 0
  for (const [index, message] of ours.entries()) {
    const isReply = message.role === 'assistant' && isOnlyHere(ours, index)
    const isHeld = isReply && heldMessages.includes(ours[index - 1] ?? message)
    const position = isReply ? -1 : theirs.findIndex((other, at) => at >= next && isSameMessage(message, other))
    const counterpart = theirs[position]
    if (counterpart === undefined) {
      if (isHeld || (!isReply && isOnlyHere(ours, index))) heldMessages.push(message)
      continue
    }
    result.push(...theirs.slice(next, position), ...heldMessages, mergeMessage(message, counterpart))
    heldMessages = []
    next = position + 1
  }
  return [...result, ...theirs.slice(next), ...heldMessages]
}

/**
 * Merges the server's copy of a conversation with ours. The server's history wins; messages it never stored (a question
 * refused before it was accepted, or one younger than its copy) are kept. A question on a path that the server has not
 * chosen keeps that path. A version that no server has is shown until the server has something younger, and then stands
 * beside the messages (`unsentVersions`).
 */
function mergeMessages(
  own: readonly RecordMessage[],
  theirs: readonly RecordMessage[],
  oursIsYounger = false,
  theirsIsYounger = false,
): RecordMessage[] {
  const index = own.findIndex(({versions}, at) => versions != null && isOnlyHere(own, at))
  const [before, version] = [own[index - 1], own[index]]
  const isUnsent = version?.unsent === true
  const position = theirs.findIndex(({id}) => version?.versions?.includes(id ?? ''))
  if (position !== -1 && !(isUnsent && theirsIsYounger))
    return [...mergeMessages(own.slice(0, index), theirs.slice(0, position)), ...own.slice(index)]
  if (oursIsYounger && own.some(({after}, at) => after !== undefined && isOnlyHere(own, at))) return [...own]
  // where its other versions were deleted it stays, as a question of its own
  const isAlone =
    (before === undefined || theirs.some((message) => isSameMessage(before, message))) &&
    !theirs.some((message) => version !== undefined && isVersionOf(message, version))
  const ours = isUnsent && !isAlone ? own.toSpliced(index, unsentLength(version)) : own
  const isShared = theirs.every((message, index) => {
    const counterpart = ours[index]
    return counterpart !== undefined && isSameMessage(counterpart, message)
  })
  if (!isShared) return mergeDiverged(ours, theirs)
  const mergedMessages = theirs.map((message, index) => mergeMessage(ours[index] ?? message, message))
  const rest = ours.slice(theirs.length)
  // a server that says how each message stands keeps failed ones too
  const isWhole = theirsIsYounger && theirs.length > 0 && theirs.every(({state}) => state != null)
  const isKeptWhole = oursIsYounger || (!isWhole && rest.some(({state}) => state === 'failed'))
  const keptMessages = rest.filter((_, index) => isKeptWhole || isOnlyHere(ours, theirs.length + index))
  // the failure of a question that the server has no more goes with it
  const isOrphan = rest.length > 1 && rest[0]?.role === 'user' && keptMessages[0]?.role === 'assistant'
  return [...mergedMessages, ...(isOrphan ? keptMessages.slice(1) : keptMessages)]
}

/**
 * Merges two copies of a conversation; `key` stays ours, the younger time wins. A copy of which more was kept than the
 * server has is read again.
 */
export function mergeConversation(ours: ConversationRecord, theirs: ConversationRecord): ConversationRecord {
  const messages = mergeMessages(
    ours.messages,
    theirs.messages,
    ours.updatedAt > theirs.updatedAt,
    theirs.updatedAt > ours.updatedAt,
  )
  return {
    ...ours,
    ...theirs,
    ...(messages.filter(({unsent}) => unsent !== true).length > theirs.messages.length && {revision: undefined}),
    key: ours.key,
    messages,
    unsentVersions: unsentAfter({...ours, unsentVersions: unsentOf(ours, theirs)}, messages),
    updatedAt: Math.max(ours.updatedAt, theirs.updatedAt),
  }
}
