import type {MadeFacts, MediaPlan, MediaTool, Medium, Operation} from '#contract/media/media-tool.ts'
import type {ProviderName} from '../config.ts'
import type {StoredFile} from './provider.ts'

/**
 * Bytes that are there, a request that brings them, or where the provider has them: then they are fetched and checked
 * (R27). What is fetched may be fetched again.
 */
export type MediaContent = Uint8Array | {open: () => Promise<AsyncIterable<Uint8Array>>} | {address: string}

/** One thing that a provider made, before it is kept in our own store. */
export type MadeFile = MadeFacts & {
  medium: Medium
  /** Not read for a text. */
  file: MediaContent
  type: string
  /** A name for people; its extension follows what the bytes are. */
  name: string
  preview?: {file: MediaContent; type: string}
  /** The provider cannot work on this result any further. */
  isFinal?: boolean
}

/**
 * The result of a provider: files, from which the tool's own answer is made; or an answer in the tool's shape with the
 * provider's addresses, whose files are copied.
 */
export type MediaResult =
  | {kind: 'files'; files: readonly MadeFile[]; model?: string}
  | {kind: 'answer'; response: Record<string, unknown>}

export type MediaAsk = {
  /** Names what is bought: asked for again under the same name, it is the same purchase. */
  run: string
  tool: MediaTool
  operation: Operation
  /** Exactly what goes over the wire; addresses are whole. */
  body: Record<string, unknown>
  plan: MediaPlan
  /** The provider's job, when an earlier process asked for it already: then nothing is bought again. */
  job: string | undefined
  /** Stores the provider's job. Awaited before anything else is done with it. */
  storeJob: (job: string) => Promise<void>
  /** In percent; `snapshot` is an unfinished answer in the tool's shape. */
  onProgress: (percent: number, snapshot?: Record<string, unknown>) => void
  /**
   * The user's own files that go in, in the order of `plan.sources`, then the result that `plan.sourceId` and
   * `plan.sourceIndex` name; with `plan.joins` then those that this one goes on from, as far as they are here.
   */
  sourceFiles: () => Promise<readonly StoredFile[]>
  /** An own file's address as the provider can fetch it; `undefined` when it cannot. */
  publicAddress: (address: string) => string | undefined
  signal: AbortSignal
}

/**
 * One back end that makes media. `make` throws `ProviderFailure` when it fails. A provider that was not asked is never
 * asked instead (no silent fallback).
 */
export type MediaProvider = {
  /** Stands in every answer, and in usage rows. */
  name: string
  kind: ProviderName
  local: boolean
  /** Repeating it is free and asks no other server: an interrupted run starts again. */
  isRepeatable: boolean
  /** `read`: the user's own files are read here and sent. `passed on`: addresses are sent, and fetched over there. */
  sources: 'read' | 'passed on'
  /** The operator's own server: results may be fetched there although it is no public https address. */
  origin?: string
  /** Refuses with `ProviderFailure` what it cannot make, before anything is held or made. */
  check: (tool: MediaTool, plan: MediaPlan, request: Pick<MediaAsk, 'operation' | 'body'>) => void | Promise<void>
  make: (ask: MediaAsk) => Promise<MediaResult>
}
