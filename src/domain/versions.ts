import {messageReferences, messageText, stays, type ConversationRecord, type RecordMessage} from './conversation.ts'
import {afterHeard} from './heard-change.ts'

/* Versions of messages (capability `versions`). A message that no server has named yet is the newest of its own. */

/** The versions that a message which replaces this one joins; undefined where the server has none of them. */
export const versionsToJoin = ({id, unsent, versions}: RecordMessage): string[] | undefined =>
  id == null || unsent === true || versions?.includes(id) ? versions : [...(versions ?? []), id]

/** The version that a question on its way replaces, or that its answer does. */
export const versionReplaced = (
  messages: readonly RecordMessage[],
  answer: Pick<RecordMessage, 'versions'>,
): string | undefined => {
  const question = messages.findLast(({role}) => role === 'user')
  return (question?.id == null ? question?.versions : answer.versions)?.at(-1)
}

/** The question without an answer that a running answer is given to as it stands: the server names it already. */
export function questionAnswered(
  messages: readonly RecordMessage[],
  answer: {versions?: readonly string[] | undefined; message?: string | undefined},
): string | undefined {
  const question = messages.findLast(({role}) => role === 'user')
  return answer.message === undefined && answer.versions === undefined && question?.unsent !== true
    ? (question?.id ?? undefined)
    : undefined
}

/** The last of these messages that the server has. */
export const lastStored = (messages: readonly RecordMessage[]): string | undefined =>
  messages.findLast((message) => message.id != null && message.unsent !== true && stays(message))?.id ?? undefined

/** The message that a question on its way follows on a path that the server has not chosen. */
export function pathEnd(messages: readonly RecordMessage[]): string | undefined {
  const index = messages.findLastIndex(({role}) => role === 'user')
  const question = messages[index]
  const isUnnamed = question?.after !== undefined && question.id == null
  return isUnnamed && question.after === lastStored(messages.slice(0, index)) ? question.after : undefined
}

/*
 * Versions that no server has: a changed question with its failure, or the failure of an answer that was to be given
 * again (decision 204). The first message names the versions that it was to join.
 */

/** How many messages it has, by its first. */
export const unsentLength = ({role}: RecordMessage) => (role === 'user' ? 2 : 1)

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

const unsentIn = (messages: readonly RecordMessage[]) =>
  messages.flatMap((message, index) =>
    message.unsent === true && message.versions != null ? [messages.slice(index, index + unsentLength(message))] : [],
  )

/** A conversation without such versions has no list of them. */
const someOf = (versions: RecordMessage[][]) => (versions.length === 0 ? undefined : versions)

/** The versions that no server has, once a conversation goes on with these messages. */
export function unsentAfter(
  {unsentVersions = [], messages}: Pick<ConversationRecord, 'unsentVersions' | 'messages'>,
  next: readonly RecordMessage[],
): ConversationRecord['unsentVersions'] {
  const versions = [...unsentVersions, ...unsentIn(messages), ...unsentIn(next)].filter(
    (version, index, all) =>
      !isRepeated(version, next) && all.findIndex((other) => unsentName(other) === unsentName(version)) === index,
  )
  return someOf(versions)
}

/** The versions that no server has, of both copies; one that the server answers with has none. */
export const unsentOf = (one: ConversationRecord, other: ConversationRecord): RecordMessage[][] => [
  ...(one.unsentVersions ?? []),
  ...(other.unsentVersions ?? []),
]

/** A conversation with these versions, and with the one among its messages, which the other copy may not know yet. */
export const withUnsent = (record: ConversationRecord, unsentVersions: RecordMessage[][]): ConversationRecord => ({
  ...record,
  unsentVersions: unsentAfter({...record, unsentVersions}, record.messages),
})

/** The versions that no server has, after another tab changed its list of them. */
export const unsentHeard = (
  {unsentVersions = []}: Pick<ConversationRecord, 'unsentVersions'>,
  {was, versions}: {was: RecordMessage[][]; versions: RecordMessage[][]},
) => someOf(afterHeard(unsentVersions, was, versions, unsentName))
