import {isTextName} from '#domain/text-name.ts'
import {isFinal, isQuoted, refusalOf, type Attachment} from './attachment.ts'
import type {OfferedModel} from './model-catalogue.ts'

/** Why the chosen model cannot accept a file; no model takes what is refused by itself, so nothing is said of models then. */
export function modelRefusalOf(attachment: Attachment, model: OfferedModel | undefined) {
  if (isFinal(attachment)) return undefined
  const refusal = refusalOf(attachment, model)
  if (refusal !== undefined || isQuoted(attachment, model)) return refusal
  const {longestText = Infinity} = model ?? {}
  return isTextName(attachment.name) && (attachment.size ?? 0) > longestText ? 'length' : undefined
}

/** Bytes of the files that would go to this model, where it does not take so many with one question. */
export function excessBytes(attachments: readonly Attachment[], model: OfferedModel | undefined): number | undefined {
  const {mostFileBytes = Infinity} = model ?? {}
  const files = attachments.filter((each) => !isQuoted(each, model) && !isFinal(each))
  const bytes = files.reduce((sum, {size = 0}) => sum + size, 0)
  return bytes > mostFileBytes ? bytes : undefined
}

/** The model takes each of the files, and all of them with one question. */
export const takesAttachments = (attachments: readonly Attachment[], model: OfferedModel | undefined): boolean =>
  excessBytes(attachments, model) === undefined &&
  attachments.every((each) => modelRefusalOf(each, model) === undefined)
