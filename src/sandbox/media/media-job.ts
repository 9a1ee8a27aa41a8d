import type {MadeFacts, MediaPlan, Medium} from '#contract/media/media-tool.ts'
import type {ErrorKind} from '#domain/error-kinds.ts'

/** One file that the sandbox made. */
export type SandboxFile = MadeFacts & {
  medium: Medium
  file: Uint8Array
  /** Media type of `file`. */
  type: string
  /** A file name for downloads. */
  name: string
  preview?: {file: Uint8Array; type: string}
}

/** The request to a worker. */
export type MediaJob = {plan: MediaPlan; seed: number; sourceFiles: readonly Uint8Array[]}

/** Message to the worker. `stop` is shared memory: its first byte becomes 1 when the result is no longer wanted. */
export type JobRequest = {job: MediaJob; stop: SharedArrayBuffer}

/** From the worker. */
export type WorkerReply =
  | {type: 'progress'; percent: number}
  | {type: 'made'; files: SandboxFile[]}
  /** `code` is absent if the fault is ours. */
  | {type: 'failed'; code?: ErrorKind; detail: string}
  | {type: 'stopped'}

/** Connects the making of a file with its surroundings. */
export type Work = {
  report: (percent: number) => void
  /** Throws `WorkStopped` if the result is no longer wanted. Call it between short steps. */
  checkpoint: () => void
}

export class WorkStopped extends Error {}

/** A refused request, with a sentence for the user. */
export class MediaRefusal extends Error {
  constructor(
    readonly code: ErrorKind,
    readonly detail: string,
  ) {
    super(detail)
  }
}

/** Maps a step's progress to its range of the whole job. */
export const partOf = (work: Work, from: number, to: number): Work => ({
  checkpoint: work.checkpoint,
  report: (percent) => work.report(from + ((to - from) * percent) / 100),
})
