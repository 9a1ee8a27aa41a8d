import type {RecordMessage} from '#domain/conversation.ts'

/** The message that was to be replaced, or the question that was to be answered as it stands. */
export type GoneMessage = 'original' | 'question'

/** The message that a refused answer or its question needed, if the server has it no more. */
export function goneMessage(messages: readonly RecordMessage[], index: number): GoneMessage | undefined {
  const answer = messages[index]
  if (answer?.unsent !== true || answer.error?.code !== 'not_found') return undefined
  if (answer.error.field === 'answer_to') return 'question'
  if (answer.error.field !== 'version_of') return undefined
  const question = messages[index - 1]
  const {versions} = question?.unsent === true ? question : answer
  return versions?.length ? 'original' : undefined
}
