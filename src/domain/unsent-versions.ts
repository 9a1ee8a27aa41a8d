import {messageReferences, messageText, type ConversationRecord, type RecordMessage} from './conversation.ts'
import {versionsToJoin} from './versions.ts'

/*
 * Versions that no server has: a changed question with its failure, or the failure of an answer that was to be given
 * again (decision 204). The first message names the versions that it was to join.
 */

/** The index at which such a version begins in a history; -1 without one. */
export const unsentIndex = (messages: readonly RecordMessage[]) =>
  messages.findIndex(({unsent, versions}) => unsent === true && versions != null)

/** The index behind the version that begins there. */
export const unsentEnd = (messages: readonly RecordMessage[], index: number) =>
  index + (messages[index]?.role === 'user' ? 2 : 1)

/** Its name on this device: the key of its request. */
export const unsentName = (version: readonly RecordMessage[]) => version.at(-1)?.id

/** Whether a message is a version of the one with these versions. */
export const isVersionOf = (message: RecordMessage, {versions}: RecordMessage) =>
  versionsToJoin(message)?.some((id) => versions?.includes(id)) === true

const wordsOf = ({content}: RecordMessage) => [messageText(content), ...messageReferences(content)].join('\n')

/** One of these messages asks the same again: that question, or for another answer. */
const isRepeated = ([first]: readonly RecordMessage[], messages: readonly RecordMessage[]) =>
  first === undefined ||
  messages.some(
    (message) =>
      message.unsent !== true &&
      isVersionOf(message, first) &&
      first.versions?.includes(message.id ?? '') !== true &&
      (first.role === 'assistant' || wordsOf(message) === wordsOf(first)),
  )

/** The versions that no server has, once a conversation goes on with these messages. */
export function unsentAfter(
  {unsentVersions = [], messages}: Pick<ConversationRecord, 'unsentVersions' | 'messages'>,
  next: readonly RecordMessage[],
): ConversationRecord['unsentVersions'] {
  const versions = new Map(unsentVersions.map((version) => [unsentName(version), version]))
  for (const history of [messages, next]) {
    const index = unsentIndex(history)
    const version = history.slice(index, unsentEnd(history, index))
    if (index !== -1) versions.set(unsentName(version), version)
  }
  const remaining = [...versions.values()].filter((version) => !isRepeated(version, next))
  return remaining.length === 0 ? undefined : remaining
}
