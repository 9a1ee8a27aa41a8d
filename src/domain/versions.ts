import {stays, type RecordMessage} from './conversation.ts'

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
