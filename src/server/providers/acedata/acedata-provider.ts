import {chatModels} from '#contract/models.ts'
import {messageReferences, messageText} from '#domain/conversation.ts'
import {withoutReasoning} from '#domain/sent-answer.ts'
import {isRecord} from '#contract/is-record.ts'
import type {ProviderConfig} from '../../config.ts'
import type {Log} from '../../log.ts'
import {describeModel} from '../openai/models.ts'
import {answerDeadlines, callUpstream, readAll} from '../call-upstream.ts'
import {realOutboundPorts, type OutboundPorts} from '../outbound.ts'
import {createPayloadReader, type Payload} from '../payloads.ts'
import {createRequestKeys} from '../request-keys.ts'
import {ProviderFailure, type ChatInput, type Provider, type ProviderMessage} from '../provider.ts'
import {answerFailure, upstreamFailure} from '../upstream-error.ts'

export type AcedataProviderOptions = {log: Log; ports?: OutboundPorts}

/**
 * Passes questions on to an upstream that speaks the specified chat call (contract/upstream §2). Each call is
 * stateless: the history is ours, so earlier turns travel in `preset`, the only documented field beside the question.
 * The upstream names no models; it serves those of the specification in its groups, or the configured ones.
 */
export function createAcedataProvider(config: ProviderConfig, options: AcedataProviderOptions): Provider {
  const {log, ports = realOutboundPorts} = options

  const chat: Provider['chat'] = async (input, take) => {
    const path = '/aichat/conversations'
    const response = await callUpstream(
      {
        upstream: config,
        path,
        method: 'POST',
        headers: {accept: 'text/event-stream', ...createRequestKeys(input.run)(path)},
        body: toQuestion(input),
        signal: input.signal,
        deadlines: answerDeadlines,
      },
      ports,
    )
    if (response.status < 200 || response.status >= 300)
      throw answerFailure(config, response, await readAll(response.text))
    const payloads = createPayloadReader()
    let answer = ''
    let hasEnded = false
    let isEnough = false
    /** Nothing after the end counts. */
    const readPayloads = (some: readonly Payload[]) => {
      for (const payload of some) {
        if (hasEnded) return
        if (payload.kind === 'malformed') log.warn('unreadable line of an upstream skipped', {provider: config.name})
        const {text, isEnd} = readPayload(config, payload, answer)
        answer += text
        isEnough = text !== '' && !take({type: 'delta', text})
        hasEnded = isEnd || isEnough
      }
    }
    try {
      await response.read((piece) => {
        readPayloads(payloads.feed(piece))
        return !hasEnded
      })
      readPayloads(hasEnded ? [] : payloads.finish())
    } catch (error) {
      throw error instanceof ProviderFailure ? error : brokenOff(config.name, error)
    }
    if (isEnough) return
    if (!hasEnded && answer === '') throw new ProviderFailure('api_error', `${config.name} ended without an answer.`)
    // an event stream says when it is done (docs/decisions/0018)
    if (!hasEnded) throw brokenOff(config.name)
    take({type: 'finished'})
  }

  const servedModels = config.models.length > 0 ? config.models : specifiedModels(config)
  const models = () => Promise.resolve(servedModels.map((name) => describeModel(name, config)))
  return {name: config.name, kind: 'acedata', local: config.local, models, chat}
}

const specifiedModels = (config: ProviderConfig): string[] =>
  chatModels.filter((model) => config.groups.includes(model.modelGroup)).map((model) => model.name)

const brokenOff = (name: string, cause?: unknown) =>
  new ProviderFailure('api_error', `The answer of ${name} broke off.`, {interrupted: true, cause})

/** The text that a payload brings to the answer so far, and whether it ends it. Throws the upstream's failure. */
function readPayload(config: ProviderConfig, payload: Payload, soFar: string): {text: string; isEnd: boolean} {
  if (payload.kind === 'html')
    throw new ProviderFailure('api_error', `${config.name} answered with a web page. Check its base address.`)
  if (payload.kind === 'cut') throw brokenOff(config.name)
  if (payload.kind === 'error') throw upstreamFailure(config, {body: {error: payload.value}})
  if (payload.kind !== 'value' || !isRecord(payload.value))
    return {text: '', isEnd: payload.kind === 'done' || (payload.kind === 'whole' && soFar !== '')}
  const frame = payload.value
  if (frame.error != null || frame.type === 'error')
    throw upstreamFailure(config, {body: frame.error == null ? frame : {error: frame.error}})
  return frame.type === 'done' ? {text: '', isEnd: true} : {text: deltaOf(frame, soFar), isEnd: false}
}

/** `delta_answer` if present, else the new part of a cumulative `answer` (also the whole of a JSON reply). */
function deltaOf(frame: Record<string, unknown>, soFar: string): string {
  if (typeof frame.delta_answer === 'string') return frame.delta_answer
  const {answer} = frame
  return typeof answer === 'string' && answer.startsWith(soFar) ? answer.slice(soFar.length) : ''
}

function toQuestion({model, messages}: ChatInput) {
  const last = messages.at(-1)
  const preset = presetOf(messages.slice(0, -1))
  return {
    model,
    question: last === undefined ? '' : messageText(last.content),
    references: last === undefined ? [] : messageReferences(last.content),
    stateful: false,
    ...(preset === '' ? {} : {preset}),
  }
}

/** System turns as they are, then the conversation so far, each turn under the name of its speaker. */
function presetOf(earlier: readonly ProviderMessage[]): string {
  const system = earlier.filter(({role}) => role === 'system').map(({content}) => messageText(content))
  const turns = earlier
    .filter(({role}) => role !== 'system')
    .map(({role, content}) => {
      const files = messageReferences(content).map((url) => `\n[attached: ${url}]`)
      const text = role === 'assistant' ? withoutReasoning(messageText(content)) : messageText(content)
      return `${role === 'user' ? 'User' : 'Assistant'}: ${text}${files.join('')}`
    })
  const transcript = turns.length === 0 ? [] : [`The conversation so far:\n\n${turns.join('\n\n')}`]
  return [...system, ...transcript].join('\n\n')
}
