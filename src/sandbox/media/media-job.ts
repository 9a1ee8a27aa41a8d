import type {MediaPlan, Medium} from '#contract/media/media-tool.ts'
import type {ErrorKind} from '#domain/error-kinds.ts'

/** One file that the sandbox made. */
export type MadeFile = {
  medium: Medium
  file: Uint8Array
  /** Media type of `file`. */
  type: string
  /** A file name for downloads. */
  name: string
  preview?: {file: Uint8Array; type: string}
  width?: number
  height?: number
  durationSeconds?: number
  /** Makes this very file again, with the same prompt and a count of one. */
  seed?: number
  title?: string
  /** Of a text: the text. Of a song: its lyric. */
  text?: string
  style?: string
  /** Of a song: the model that was asked for when it was composed. */
  model?: string
}

/** What a worker is asked for. */
export type MediaJob = {plan: MediaPlan; seed: number; sourceFiles: readonly Uint8Array[]}

/** To the worker. `stop` is shared memory: its first byte is 1 as soon as nobody wants the result. */
export type WorkerRequest = {job: MediaJob; stop: SharedArrayBuffer}

/** From the worker. */
export type WorkerReply =
  | {type: 'progress'; percent: number}
  | {type: 'made'; files: MadeFile[]}
  /** `code` is absent when the fault is ours. */
  | {type: 'failed'; code?: ErrorKind; detail: string}
  | {type: 'stopped'}

/** What making reports to and asks of its surroundings. */
export type Work = {
  report: (percent: number) => void
  /** Throws `WorkStopped` when nobody wants the result any more. Called between short steps. */
  checkpoint: () => void
}

export class WorkStopped extends Error {}

/** A request that cannot be made, with a sentence for the user. */
export class MediaRefusal extends Error {
  constructor(
    readonly code: ErrorKind,
    readonly detail: string,
  ) {
    super(detail)
  }
}

/** The part of a longer work that goes from one share of it to another. */
export const partOf = (work: Work, from: number, to: number): Work => ({
  checkpoint: work.checkpoint,
  report: (percent) => work.report(from + ((to - from) * percent) / 100),
})
