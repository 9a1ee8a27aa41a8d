import {messageText, type RecordMessage} from './conversation.ts'
import {visibleText} from './visible-text.ts'

/** Words of a message as its thread shows them: questions as they were typed, answers without their marks. */
export const shownText = ({role, content}: Pick<RecordMessage, 'role' | 'content'>) =>
  role === 'assistant' ? visibleText(messageText(content)) : messageText(content)
