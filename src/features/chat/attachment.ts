import {isFileRefusal} from '#domain/attachment-limit.ts'
import type {Failure} from '#domain/failure.ts'
import type {OfferedModel} from './model-catalogue.ts'

/** Uploads one file; `onProgress` gets 0 to 1. Rejects with a value that `toFailure` can read. */
export type SendFile = (
  file: File,
  options: {onProgress: (share: number) => void; signal: AbortSignal},
) => Promise<{url: string}>

type Progress =
  | {state: 'uploading'; share: number}
  | {state: 'ready'; url: string}
  /** `largest`: the most bytes that the server takes; the file has more, and is not sent. */
  | {state: 'failed'; failure: Failure; largest?: number | undefined}
export type Attachment = {
  id: string
  name: string
  size: number | undefined
  isImage: boolean
  file: File | undefined
  /** The long text that it was pasted as. */
  pasted: string | undefined
} & Progress

/** A model that takes no files gets a pasted text as a part of the question. */
export const isQuoted = ({pasted}: Partial<Pick<Attachment, 'pasted'>>, model: OfferedModel | undefined) =>
  pasted !== undefined && model?.takesFiles === false

/** Why the chosen model cannot accept an attachment. */
export function refusalOf(
  attachment: Pick<Attachment, 'isImage'> & Partial<Pick<Attachment, 'pasted'>>,
  model: OfferedModel | undefined,
): 'files' | 'images' | undefined {
  if (model === undefined || model.takesFiles || isQuoted(attachment, model)) return undefined
  if (attachment.isImage) return model.takesImages ? undefined : 'files'
  return model.takesImages ? 'images' : 'files'
}

/** The upload failed for good: the file can only be removed. */
export const isFinal = (attachment: Attachment): boolean =>
  attachment.state === 'failed' &&
  (attachment.largest !== undefined || attachment.failure.code === 'file_empty' || isFileRefusal(attachment.failure))
