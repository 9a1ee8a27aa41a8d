import type {MessageContent} from '#contract/chat.ts'
import type {ErrorCode} from '#domain/error-kinds.ts'
import type {ServedModel} from '#contract/management.ts'

/** One turn as a provider receives it. References are already items of the content. */
export type ProviderMessage = {role: 'system' | 'user' | 'assistant'; content: MessageContent}

/** A file of our own store, already checked to be the asker's. */
export type StoredFile = {name: string; type: string; size: number; read: () => Promise<Uint8Array>}

export type ChatInput = {
  /** Names what is bought: asked for again under the same name, it is the same purchase. */
  run: string
  model: string
  messages: readonly ProviderMessage[]
  /** Bound of the answer in tokens; also what was held for it. */
  answerCap: number
  /** Aborted by the user's stop or by the end of the process, never by a listener that leaves. */
  signal: AbortSignal
  /** The asker's own stored file behind a reference; `undefined` for any other address, which nobody fetches (R27). */
  storedFile?: (url: string) => Promise<StoredFile | undefined>
}

/** Events of a provider. Reasoning arrives as text inside `<think>…</think>`, whatever the server called it. */
export type ChatEvent =
  | {type: 'delta'; text: string}
  | {type: 'usage'; promptTokens: number; completionTokens: number}
  /** The only good end. `warning` says what was odd, `isTruncated` that the answer's longest length ended it. */
  | {type: 'finished'; warning?: string; isTruncated?: true}

/** Gets each event as it comes, in the same moment. False ends the request: nothing more is wanted. */
export type TakeEvent = (event: ChatEvent) => boolean

/**
 * One back end that answers. `chat` resolves after the end, and throws `ProviderFailure` when the answer fails; text
 * taken before stays. A provider that was not asked is never asked instead (no silent fallback).
 */
export type Provider = {
  /** Shown to people and written to usage rows: `sandbox`, `openai`, `ollama`, `acedata`, … */
  name: string
  kind: 'sandbox' | 'openai' | 'acedata'
  local: boolean
  models: (signal: AbortSignal) => Promise<readonly ServedModel[]>
  chat: (input: ChatInput, take: TakeEvent) => Promise<void>
}

/**
 * Why a provider failed, in the eleven error kinds of the specification, `forbidden` or `payment_required`.
 * `interrupted` says that contact was lost in mid-answer; without it the provider refused.
 */
export class ProviderFailure extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly options: {
      status?: number
      retryAfterSeconds?: number
      interrupted?: boolean
      /** The field at fault, of a request that is refused before anything is made. */
      field?: string
      cause?: unknown
    } = {},
  ) {
    super(`${code} - ${detail}`, {cause: options.cause})
  }
}
