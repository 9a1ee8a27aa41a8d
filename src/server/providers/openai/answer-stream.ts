import {readPayloads, type Payload} from '../payloads.ts'
import type {Upstream} from '../outbound.ts'
import {ProviderFailure, type ChatEvent} from '../provider.ts'
import {upstreamFailure} from '../upstream-error.ts'
import {readChunk} from './chunk.ts'
import {createThinkJoiner} from './think.ts'

/**
 * The events of one answer of an OpenAI-compatible server (backends 2.1–2.3). `[DONE]`, a finish reason and the end of
 * the stream all end it; an end without a finish reason is finished with a warning when there was text and a failure
 * when there was none; a stream cut inside a line is contact lost.
 *
 * @throws ProviderFailure after the events that came before the failure
 */
export async function* readAnswer(
  upstream: Upstream,
  text: AsyncIterable<string>,
  malformed: (line: string) => void,
): AsyncGenerator<ChatEvent> {
  const joiner = createThinkJoiner()
  let hasText = false
  let finishReason: string | undefined
  let usage: {promptTokens: number; completionTokens: number} | undefined
  let failure: ProviderFailure | undefined

  try {
    for await (const payload of readPayloads(text)) {
      if (payload.kind === 'done') break
      if (payload.kind === 'malformed') malformed(payload.text)
      if (payload.kind === 'cut' && finishReason === undefined) failure = brokenOff(upstream)
      if (payload.kind === 'html')
        failure = new ProviderFailure('api_error', `${upstream.name} answered with a web page. Check its base address.`)
      if (payload.kind === 'error') failure = failureOf(upstream, payload)
      if (payload.kind === 'value') {
        const chunk = readChunk(payload.value)
        usage = chunk.usage ?? usage
        const piece = joiner.push(chunk.reasoning, chunk.text)
        hasText ||= piece !== ''
        if (piece !== '') yield {type: 'delta', text: piece}
        if (chunk.error !== undefined) failure = upstreamFailure(upstream, {body: {error: chunk.error}})
        else if (chunk.finishReason === 'error') failure = upstreamFailure(upstream, {body: undefined})
        finishReason = chunk.finishReason ?? finishReason
      }
      if (failure !== undefined) break
    }
  } catch (error) {
    failure = error instanceof ProviderFailure ? error : brokenOff(upstream, error)
  }

  const rest = joiner.end()
  hasText ||= rest !== ''
  if (rest !== '') yield {type: 'delta', text: rest}
  if (usage !== undefined) yield {type: 'usage', ...usage}
  failure ??= endFailure(upstream, finishReason, hasText)
  if (failure !== undefined) throw failure
  yield finished(finishReason)
}

const failureOf = (upstream: Upstream, payload: Extract<Payload, {kind: 'error'}>): ProviderFailure =>
  upstreamFailure(upstream, {body: typeof payload.value === 'object' ? payload.value : {error: payload.value}})

const brokenOff = (upstream: Upstream, cause?: unknown) =>
  new ProviderFailure('api_error', `The answer of ${upstream.name} broke off.`, {interrupted: true, cause})

function endFailure(upstream: Upstream, reason: string | undefined, hasText: boolean): ProviderFailure | undefined {
  if (hasText) return undefined
  if (reason === undefined) return new ProviderFailure('api_error', `${upstream.name} ended without an answer.`)
  if (reason === 'content_filter')
    return new ProviderFailure('forbidden', `The content filter of ${upstream.name} held the answer back.`)
  if (reason === 'tool_calls' || reason === 'function_call')
    return new ProviderFailure('api_error', `${upstream.name} asked for a tool instead of answering.`)
  return undefined
}

const warnings: Readonly<Record<string, string>> = {
  length: 'The answer reached its longest allowed length.',
  content_filter: 'The content filter ended the answer.',
}

function finished(reason: string | undefined): ChatEvent {
  const warning = reason === undefined ? 'The stream ended without a finish reason.' : warnings[reason]
  return warning === undefined ? {type: 'finished'} : {type: 'finished', warning}
}
