import {messageText, type ConversationRecord, type RecordMessage} from './conversation.ts'

/** Longest title made from a question, in characters. */
const longestTitle = 80
/** Characters of a question that are read for its title. */
const longestSource = 1_000

/** Text without Markdown markers, on one line. */
const plainText = (markdown: string) =>
  markdown
    .slice(0, longestSource)
    .replace(/^[ \t]*(?:`{3}|~{3}).*$/gm, '')
    .replace(/!?\[([^\]]{0,400})\]\([^)]{0,2000}\)/g, '$1')
    .replace(/^\s{0,3}(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])\s+)+/gm, '')
    .replace(/(\*{1,3}|__|~~|`)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(^|\W)_(?=\S)(.*?\S)_(?!\w)/g, '$1$2')
    .replace(/\s+/g, ' ')
    .trim()

function shortened(text: string): string {
  const characters = Array.from(text)
  return characters.length <= longestTitle
    ? text
    : `${characters
        .slice(0, longestTitle - 1)
        .join('')
        .trimEnd()}…`
}

/** Markdown as a title: plain, on one line, shortened. */
export const plainTitle = (markdown: string) => shortened(plainText(markdown))

/** The shortened question. Empty if it has no text. */
export const shortQuestion = (question: RecordMessage | undefined) =>
  question === undefined ? '' : plainTitle(messageText(question.content))

/**
 * The name of a conversation everywhere: its title, else its shortened first question (contract/chat §4). Empty without
 * both.
 */
export function conversationTitle({title, messages}: Pick<ConversationRecord, 'title' | 'messages'>): string {
  if (title !== undefined && title.trim() !== '') return title
  return shortQuestion(messages.find(({role}) => role === 'user'))
}
