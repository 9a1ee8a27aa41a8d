import {createPayloadReader, type Payload} from '../payloads.ts'
import type {OutboundResponse, Upstream} from '../call-upstream.ts'
import {ProviderFailure, type ChatEvent, type TakeEvent} from '../provider.ts'
import type {Timers} from '../timers.ts'
import {upstreamFailure} from '../upstream-error.ts'
import {readChunk} from './chunk.ts'
import {createThinkJoiner} from './think.ts'

export type AnswerSource = {
  upstream: Upstream
  /** Asks for the answer. */
  open: () => Promise<Pick<OutboundResponse, 'read'> & {leave: () => void}>
  malformed: (line: string) => void
  /** The asker's: a stop is never a good end. */
  signal: AbortSignal
  timers: Timers
  /** How long usage and `[DONE]` may follow the last word once the finish reason is known, in milliseconds. */
  finishPatience: number
}

/**
 * The events of one answer of an OpenAI-compatible server (backends 2.1–2.3). A finish reason, `[DONE]` and the whole
 * end of a JSON or ndjson body make it finished. What happens to the connection after a finish reason takes nothing
 * back, and a server that keeps it open is left after `finishPatience`. An event stream that ends without either is
 * contact lost, wherever it ends (docs/decisions/0018). All that a piece of the body says is read at once.
 *
 * @throws ProviderFailure after the events that came before the failure
 */
export async function readAnswer(source: AnswerSource, take: TakeEvent): Promise<void> {
  const {upstream, malformed, signal, timers, finishPatience} = source
  const {read, leave} = await source.open()
  const payloads = createPayloadReader()
  const joiner = createThinkJoiner()
  let hasText = false
  let finishReason: string | undefined
  let isWhole = false
  let isOver = false
  let isEnough = false
  let usage: {promptTokens: number; completionTokens: number} | undefined
  let failure: ProviderFailure | undefined
  let stopWaiting: () => void = () => undefined

  /** Returns the text that it brings. */
  const readValue = (value: unknown): string => {
    const chunk = readChunk(value)
    usage = chunk.usage ?? usage
    const piece = joiner.push(chunk.reasoning, chunk.text)
    hasText ||= piece !== ''
    if (chunk.error !== undefined) failure = upstreamFailure(upstream, {body: {error: chunk.error}})
    else if (chunk.finishReason === 'error') failure = upstreamFailure(upstream, {body: undefined})
    const isNews = piece !== '' || finishReason === undefined
    finishReason = chunk.finishReason ?? finishReason
    if (finishReason !== undefined && isNews) {
      stopWaiting()
      stopWaiting = timers.after(finishPatience, leave)
    }
    return piece
  }

  const readPayload = (payload: Payload): string => {
    if (payload.kind === 'value') return readValue(payload.value)
    if (payload.kind === 'done' || payload.kind === 'whole') isWhole = true
    if (payload.kind === 'malformed') malformed(payload.text)
    if (payload.kind === 'cut' && finishReason === undefined) failure = brokenOff(upstream)
    if (payload.kind === 'html')
      failure = new ProviderFailure('api_error', `${upstream.name} answered with a web page. Check its base address.`)
    if (payload.kind === 'error') failure = failureOf(upstream, payload)
    return ''
  }

  /** Nothing after `[DONE]` or a failure counts. */
  const readPayloads = (some: readonly Payload[]) => {
    for (const payload of some) {
      if (isOver) return
      const piece = readPayload(payload)
      isEnough = piece !== '' && !take({type: 'delta', text: piece})
      isOver = isEnough || payload.kind === 'done' || failure !== undefined
    }
  }

  try {
    await read((piece) => {
      readPayloads(payloads.feed(piece))
      return !isOver
    })
    readPayloads(isOver ? [] : payloads.finish())
  } catch (error) {
    if (finishReason === undefined || signal.aborted)
      failure = error instanceof ProviderFailure ? error : brokenOff(upstream, error)
  } finally {
    stopWaiting()
  }

  if (isEnough) return

  const rest = joiner.end()
  hasText ||= rest !== ''
  if (rest !== '' && !take({type: 'delta', text: rest})) return
  if (usage !== undefined) take({type: 'usage', ...usage})
  failure ??= endFailure(upstream, {finishReason, hasText, isWhole})
  if (failure !== undefined) throw failure
  take(finished(finishReason))
}

const failureOf = (upstream: Upstream, payload: Extract<Payload, {kind: 'error'}>): ProviderFailure =>
  upstreamFailure(upstream, {body: typeof payload.value === 'object' ? payload.value : {error: payload.value}})

const brokenOff = (upstream: Upstream, cause?: unknown) =>
  new ProviderFailure('api_error', `The answer of ${upstream.name} broke off.`, {interrupted: true, cause})

type Ending = {finishReason: string | undefined; hasText: boolean; isWhole: boolean}

function endFailure(upstream: Upstream, ending: Ending): ProviderFailure | undefined {
  const {finishReason: reason, hasText, isWhole} = ending
  if (hasText) return reason === undefined && !isWhole ? brokenOff(upstream) : undefined
  if (reason === undefined) return new ProviderFailure('api_error', `${upstream.name} ended without an answer.`)
  if (reason === 'content_filter')
    return new ProviderFailure('forbidden', `The content filter of ${upstream.name} held the answer back.`)
  if (reason === 'tool_calls' || reason === 'function_call')
    return new ProviderFailure('api_error', `${upstream.name} asked for a tool instead of answering.`)
  return undefined
}

function finished(reason: string | undefined): ChatEvent {
  if (reason === undefined) return {type: 'finished', warning: 'The answer came without a finish reason.'}
  if (reason === 'content_filter') return {type: 'finished', warning: 'The content filter ended the answer.'}
  if (reason !== 'length') return {type: 'finished'}
  return {type: 'finished', warning: 'The answer reached its longest allowed length.', isTruncated: true}
}
