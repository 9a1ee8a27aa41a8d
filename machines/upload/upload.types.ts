import type {Failure} from '#domain/failure.ts'
import type {FileFault, FileRule} from '#domain/file-rules.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'

/** A file that was chosen. Its bytes stay outside the charts; the ports find them under `id`. */
export type ChosenFile = {id: string; name: string; type: string; size: number}

export type UploadInput = {parentRef: ParentRef<UploadFact>; file: ChosenFile; field: string; rule: FileRule}

export type UploadEvent =
  /** The owner gives a free slot: few files travel at once. */
  | {type: 'upload.start'}
  /** Only after a failed transfer; a refused file stays refused. */
  | {type: 'upload.retry'}
  /** The file was taken back. */
  | {type: 'upload.discard'}
  | Transfer

/** Reports of the port about a file on its way; whole percent. */
export type Transfer = {type: 'upload.progressed'; percent: number} | {type: 'upload.finished'; url: string}

export type UploadContext = UploadInput & {
  percent: number
  url?: string
  fault?: FileFault
  failure?: Failure
}

/** Facts for the owner (`generation`). */
export type UploadFact =
  | {type: 'upload.settled'; id: string; field: string; url: string}
  /** `fault`: the file is refused and does not count for its field. `failure`: its transfer failed. */
  | {type: 'upload.failed'; id: string; field: string; fault?: FileFault; failure?: Failure}

/** `busy`: on its way. `refused`: the file itself is wrong. `failed`: may be sent again. */
export type UploadTag = 'busy' | 'refused' | 'failed' | 'done'
