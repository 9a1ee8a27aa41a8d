import type {FormFault, AnswerReading} from '#contract/media/media-tool.ts'
import type {FileFault, FileRule} from '#domain/file-rules.ts'
import type {UsedResult} from '#domain/use-targets.ts'
import type {FormOwner} from '#machines/tool/tool.types.ts'
import type {ChosenFile, UploadFact} from '#machines/upload/upload.types.ts'

/** The values of a tool's form; always a full form of its schema. */
export type FormValues = Record<string, unknown>

export type GenerationInput = {
  /** The tool's id. */
  tool: string
  /** The tool itself: says whether calls can be made, and takes the requests. */
  owner: FormOwner
  /** Settings of last time; what the form no longer allows goes back to its default. */
  restored?: FormValues
}

export type GenerationEvent =
  | {type: 'field.change'; field: string; value: unknown}
  /** Every field back to its default; uploads are taken back. */
  | {type: 'form.reset'}
  /** Some fields at once: an example, the settings of a task, a result that is used in this tool. */
  | {type: 'form.fill'; values: FormValues}
  /** Generate. `key` is a new UUID of this click (security R45), `at` in unix seconds of the server's clock. */
  | {type: 'form.submit'; key: string; at: number}
  /** Stops waiting for uploads or for set-up; the form stays. */
  | {type: 'submit.cancel'}
  | {type: 'files.add'; field: string; files: readonly ChosenFile[]; rule: FileRule; most: number}
  /** Takes a file back: its upload ends, its value leaves the field. */
  | {type: 'file.remove'; id: string}
  | {type: 'file.retry'; id: string}
  /** A file of a list to another position. `id`: of its upload, else its address; `position` counts from 0. */
  | {type: 'file.move'; field: string; id: string; position: number}
  /** Set-up of the tool: calls can be made. */
  | {type: 'provision.ready'}
  /** A result goes into the form. */
  | {type: 'result.use'; use: UsedResult}
  | ResultFact
  | UploadFact
  /** An upload broke; the form lives on (security R59). */
  | {type: `xstate.error.actor.${string}`; actorId: string; error: unknown}

/** A task of this tool succeeded, from the port `results`. */
export type ResultFact = {type: 'result.arrived'; reading: AnswerReading; request: Record<string, unknown>}

/** A file of a field, on its way or there. */
export type FormUpload = {
  id: string
  field: string
  name: string
  /** How many the field takes. */
  most: number
  state: 'queued' | 'running' | 'failed' | 'done'
  url?: string
  /** The file is refused, or one too many: it does not count for the field. */
  fault?: FileFault
}

export type GenerationContext = {
  tool: string
  owner: FormOwner
  form: FormValues
  /** Derived with every change: what is wrong with the form. Empty: it may be sent. */
  faults: FormFault[]
  /** Fields the last change set back to their default, to be told (design, screens §2). */
  dropped: string[]
  uploads: FormUpload[]
  /** The order in which the files of each field with uploads go out, whichever upload ends first. */
  orders: Record<string, readonly string[]>
  /** The click that waits for uploads or set-up. */
  click?: {key: string; at: number}
}

/** `editing`: the form may be sent. `checked`: its faults are shown. `waiting`: sending waits for uploads or set-up. */
export type GenerationTag = 'editing' | 'checked' | 'waiting' | 'uploading' | 'needsSetup'
