import {isFileRefusal} from '#domain/attachment-limit.ts'
import type {Failure} from '#domain/failure.ts'
import type {CarriedFile, OfferedModel} from './model-catalogue.ts'

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
  /** Another tab has it on its way. */
  | {state: 'elsewhere'}
  /** The other tabs are asked about it: nothing is said of it yet. */
  | {state: 'asking'}
  /** It was on its way, or had failed, when its page was left. */
  | {state: 'lost'}
export type Attachment = CarriedFile & {id: string; file: File | undefined} & Progress
/** A file that a question carries, or may carry. */
export type CheckedFile = CarriedFile & (Progress | {state?: undefined})

/** A model that takes no files gets a pasted text as a part of the question. */
export const isQuoted = ({pasted}: Pick<CarriedFile, 'pasted'>, model: OfferedModel | undefined) =>
  pasted !== undefined && model?.takesFiles === false

/** Why the chosen model cannot accept an attachment. */
export function refusalOf(
  file: Pick<CarriedFile, 'isImage' | 'pasted'>,
  model: OfferedModel | undefined,
): 'files' | 'images' | undefined {
  if (model === undefined || model.takesFiles || isQuoted(file, model)) return undefined
  if (file.isImage) return model.takesImages ? undefined : 'files'
  return model.takesImages ? 'images' : 'files'
}

/** The upload failed for good: the file can only be removed. */
export const isFinal = (attachment: CheckedFile): boolean =>
  attachment.state === 'failed' &&
  (attachment.largest !== undefined || attachment.failure.code === 'file_empty' || isFileRefusal(attachment.failure))
