import type {ChatMessage, ContentItem} from '#contract/chat.ts'
import {attachmentUrl} from './conversation.ts'
import {withoutReasoning} from './sent-answer.ts'
import {isTextName} from './text-name.ts'

/**
 * Tokens of a text, counted without the model's own tokenizer: four ASCII characters or one other character a token.
 * The server holds credits by it, and settles by it when a provider reports no usage; the client estimates prices.
 */
export function estimateTokens(text: string): number {
  let ascii = 0
  let other = 0
  for (const character of text) {
    if (character.charCodeAt(0) < 0x80) ascii += 1
    else other += 1
  }
  return Math.ceil(ascii / 4) + other
}

/** Tokens that a message adds to its text, and tokens of an attachment that is no text or whose length nobody knows. */
const tokensPerMessage = 4
const tokensPerAttachment = 1_000
/** English has a byte for a character. */
const likelyBytesPerToken = 4
/** Letters of two bytes count as a token each; Chinese has three bytes, numbers and base64 two to three for a token. */
const fewestBytesPerToken = 2

export type ReadMessage = Pick<ChatMessage, 'role' | 'content'>

/**
 * Tokens of messages as a model gets them: answers without their reasoning, text files with their text.
 *
 * @param longestText the most bytes of a text file; of a longer one the model gets the name alone
 */
export const tokensRead = (messages: readonly ReadMessage[], longestText = Infinity): number =>
  countTokens(messages, longestText, likelyBytesPerToken)

/** The same at most: a text file, of which the length alone is known, counts as no less than its text does when typed. */
export const mostTokensRead = (messages: readonly ReadMessage[], longestText = Infinity): number =>
  countTokens(messages, longestText, fewestBytesPerToken)

const countTokens = (messages: readonly ReadMessage[], longestText: number, bytesPerToken: number): number =>
  messages.reduce((sum, {role, content}) => {
    const items = typeof content === 'string' ? [{type: 'text' as const, text: content}] : content
    const tokens = items.map((item) =>
      item.type === 'text' ? textTokens(role, item.text) : fileTokens(item, longestText, bytesPerToken),
    )
    return tokens.reduce((total, each) => total + each, sum + tokensPerMessage)
  }, 0)

const textTokens = (role: ReadMessage['role'], text: string) =>
  estimateTokens(role === 'assistant' ? withoutReasoning(text) : text)

const pathOf = (address: string) => address.split(/[?#]/, 1)[0] ?? ''

/** Tokens of a text file that was read beyond those that its length let expect; none for any other file. */
export const tokensBeyondSize = (address: string, bytes: Uint8Array): number =>
  isTextName(pathOf(address))
    ? estimateTokens(new TextDecoder().decode(bytes)) - Math.ceil(bytes.length / likelyBytesPerToken)
    : 0

function fileTokens(item: Exclude<ContentItem, {type: 'text'}>, longestText: number, bytesPerToken: number): number {
  const path = pathOf(attachmentUrl(item.type === 'image_url' ? item.image_url : item.file_url))
  const {size} = item
  if (size === undefined || !isTextName(path)) return tokensPerAttachment
  return estimateTokens(path) + (size > longestText ? 0 : Math.ceil(size / bytesPerToken))
}
