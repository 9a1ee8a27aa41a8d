import {formatSizeLimit, formatSizeOver} from '#domain/file-size.ts'
import type {Text} from '#ui/text.tsx'
import {shownLabel, type OfferedModel} from './model-catalogue.ts'
import type {ModelRefusal} from './model-refusal.ts'

/** Why this model does not take a file, or all of them together, in words. */
export function refusalWords(text: Text, locale: string, refusal: ModelRefusal, offer: OfferedModel): string {
  const model = shownLabel(offer, text)
  if (!('most' in refusal))
    return text(refusal.reason === 'images' ? 'chat.imagesOnly' : 'chat.filesUnsupported', {model})
  const size = formatSizeOver(refusal.bytes, refusal.most, locale)
  const most = formatSizeLimit(refusal.most, locale)
  return text(refusal.reason === 'length' ? 'chat.textTooLong' : 'chat.filesTooLarge', {model, size, most})
}
