import type {ContentItem, MessageContent} from '#contract/chat.ts'
import {isImageUrl} from '#domain/image-extensions.ts'
import {badRequest} from '../http/failure.ts'

/**
 * A question with its uploaded files as one content: plain text without files, else a text item and one item a file,
 * told apart by extension (contract/chat §2, §4). Addresses are http(s) or paths of our own, never fetched.
 */
export function toContent(question: string, references: readonly string[]): MessageContent {
  if (references.length === 0) return question
  const items = references.map((reference, index): ContentItem => {
    if (!isAddress(reference)) throw badRequest('fieldAddress', `references.${index}`)
    return isImageUrl(reference) ? {type: 'image_url', image_url: reference} : {type: 'file_url', file_url: reference}
  })
  return [{type: 'text', text: question}, ...items]
}

export function isAddress(text: string): boolean {
  if (/^\/(?!\/)/.test(text)) return true
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
