import type {Failure} from '#domain/failure.ts'

/** A file that was chosen. Its bytes stay outside the charts; the ports find them under `id`. */
export type ChosenFile = {id: string; name: string; type: string; size: number}

/** What a field takes (`Field` of kind `files`). `types` are MIME types or extensions with a dot. */
export type FileRule = {types: readonly string[]; maxBytes: number}

/** Why a file is refused before anything is sent. */
export type FileFault =
  | {kind: 'type'; types: readonly string[]}
  | {kind: 'size'; maxBytes: number}
  | {kind: 'empty'}
  /** The bytes are not what name and type say. */
  | {kind: 'content'}

export type UploadInput = {file: ChosenFile; field: string; rule: FileRule}

export type UploadEvent =
  /** The owner gives a free place: few files travel at once. */
  | {type: 'upload.start'}
  /** Only after a failed transfer; a refused file stays refused. */
  | {type: 'upload.retry'}
  /** From the port; whole percent. */
  | {type: 'upload.progressed'; percent: number}
  | {type: 'upload.finished'; url: string}

export type UploadContext = UploadInput & {
  percent: number
  url?: string
  fault?: FileFault
  failure?: Failure
}

/** Facts for the owner (`generation`). */
export type UploadFact =
  {type: 'upload.settled'; id: string; field: string; url: string} | {type: 'upload.failed'; id: string; field: string}

/** `busy`: on its way. `refused`: the file itself is wrong. `failed`: may be sent again. */
export type UploadTag = 'busy' | 'refused' | 'failed' | 'done'
