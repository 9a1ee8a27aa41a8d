import type {Failure} from '#domain/failure.ts'
import {isFieldCovered} from './is-field-covered.ts'
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
  /** The pasted text that became this file. */
  pasted: string | undefined
} & Progress

/** Why the chosen model cannot accept an attachment. */
export function refusalOf(
  attachment: Pick<Attachment, 'isImage'>,
  model: OfferedModel | undefined,
): 'files' | 'images' | undefined {
  if (model === undefined || model.takesFiles) return undefined
  if (attachment.isImage) return model.takesImages ? undefined : 'files'
  return model.takesImages ? 'images' : 'files'
}

/** Refusals of the file itself: the same bytes are refused again. */
const finalStatuses: readonly (number | undefined)[] = [400, 413, 415, 422]

/** The upload failed for good: the file can only be removed. */
export const isFinal = (attachment: Attachment): boolean =>
  attachment.state === 'failed' &&
  (attachment.largest !== undefined ||
    attachment.failure.code === 'file_empty' ||
    finalStatuses.includes(attachment.failure.status))

/** Why the chosen model cannot accept a file; no model takes what is refused by itself, so nothing is said of models then. */
export const modelRefusalOf = (attachment: Attachment, model: OfferedModel | undefined) =>
  isFinal(attachment) ? undefined : refusalOf(attachment, model)

/**
 * Takes files that are dropped anywhere on the page, for which the browser would leave it, until `listening` is aborted.
 * Below a modal dialog none are taken; what has an area for files of its own has prevented the default.
 * `onDrop` gets the entries of the files too: they tell folders.
 */
export function listenToDrops(
  {signal}: AbortController,
  onDrag: (isOver: boolean) => void,
  onDrop: (files: FileList, entries: (FileSystemEntry | null)[]) => void,
) {
  const hear = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent, transfer: DataTransfer) => void) =>
    addEventListener(
      type,
      (event) => {
        const transfer = event.dataTransfer
        if (transfer?.types.includes('Files') !== true) return
        if (event.defaultPrevented) return onDrag(false)
        if (type !== 'dragleave') event.preventDefault()
        if (isFieldCovered()) transfer.dropEffect = 'none'
        else act(event, transfer)
      },
      {signal},
    )
  hear('dragover', () => onDrag(true))
  hear('dragleave', (event) => event.relatedTarget === null && onDrag(false))
  hear('drop', (_, {files, items}) => {
    onDrag(false)
    onDrop(
      files,
      [...items].map((item) => item.webkitGetAsEntry()),
    )
  })
}
