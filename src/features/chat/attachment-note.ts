import {defaultDetail} from '#domain/error-kinds.ts'
import {formatFileSize, formatSizeLimit, formatSizeOver} from '#domain/file-size.ts'
import type {Text} from '#ui/text.tsx'
import {isQuoted, type Attachment} from './attachment.ts'
import type {OfferedModel} from './model-catalogue.ts'
import {modelRefusalOf} from './model-refusal.ts'
import {refusalWords} from './refusal-words.ts'

type FailedAttachment = Extract<Attachment, {state: 'failed'}>

function failureNote(text: Text, locale: string, {failure, size = 0, largest}: FailedAttachment): string {
  if (largest !== undefined)
    return text('chat.fileTooLarge', {
      size: formatSizeOver(size, largest, locale),
      most: formatSizeLimit(largest, locale),
    })
  const {code, status, detail} = failure
  if (code === 'file_empty') return text('chat.fileEmpty')
  // our server says why, in the user's language, also that its store is away or full. A proxy says nothing
  const isSaid = detail !== '' && detail !== defaultDetail
  if (status !== undefined && (status < 500 || code === 'busy') && isSaid) return detail
  return text(code === 'content_too_large' ? 'chat.uploadTooLarge' : 'chat.uploadFailed')
}

/** How a file of the message stands, in words. */
export function attachmentNote(
  text: Text,
  locale: string,
  attachment: Attachment,
  model: OfferedModel | undefined,
): string {
  const refusal = modelRefusalOf(attachment, model)
  if (refusal !== undefined && model !== undefined) return refusalWords(text, locale, refusal, model)
  const isSentAsText = isQuoted(attachment, model)
  if (attachment.state === 'uploading' && !isSentAsText)
    return text('chat.uploading', {share: attachment.share.toLocaleString(locale, {style: 'percent'})})
  if (attachment.state === 'elsewhere' && !isSentAsText) return text('chat.uploadingElsewhere')
  if (attachment.state === 'lost' && !isSentAsText) return text('chat.fileLost')
  if (attachment.state === 'failed' && !isSentAsText) return failureNote(text, locale, attachment)
  const size = attachment.size === undefined ? [] : [formatFileSize(attachment.size, locale)]
  const state = attachment.state === 'asking' && !isSentAsText ? [] : [text('chat.ready')]
  return [...size, ...state].join(' · ')
}
