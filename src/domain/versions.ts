import type {RecordMessage} from './conversation.ts'

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
