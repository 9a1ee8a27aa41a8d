import {isList} from '#contract/is-list.ts'
import type {ServedModel} from '#contract/management.ts'
import {isRecord} from '#contract/is-record.ts'
import type {ProviderConfig} from '../../config.ts'
import type {Log} from '../../log.ts'
import {answerDeadlines, callUpstream, readAll, type Deadlines, type OutboundResponse} from '../call-upstream.ts'
import {realOutboundPorts, type OutboundPorts} from '../outbound.ts'
import {ProviderFailure, type ChatInput, type Provider} from '../provider.ts'
import {createRequestKeys} from '../request-keys.ts'
import {answerFailure, readErrorBody, upstreamFailure} from '../upstream-error.ts'
import {readAnswer} from './answer-stream.ts'
import {describeModel, isChatModel} from './models.ts'
import {toWireMessages, type WireMessage} from './wire-messages.ts'

export type OpenaiProviderOptions = {
  log: Log
  ports?: OutboundPorts
  deadlines?: Deadlines
  /** Bound for the list of models, in milliseconds. */
  modelsDeadline?: number
  /** How long usage and `[DONE]` may follow a finish reason before a server that stays is left, in milliseconds. */
  finishPatience?: number
}

/** Parameters a server may not know; learnt per model from its 400s. */
type Quirks = {withoutUsage: boolean; completionCap: boolean}

/** The body of a question, without the parameters that the server has refused. */
const chatBody = (input: ChatInput, messages: WireMessage[], {withoutUsage, completionCap}: Quirks) => ({
  model: input.model,
  messages,
  stream: true,
  ...(withoutUsage ? {} : {stream_options: {include_usage: true}}),
  ...(completionCap ? {max_completion_tokens: input.answerCap} : {max_tokens: input.answerCap}),
})

/** The chat models in a list of models, whose servers name list and items differently; undefined: it is no list. */
function chatModelsIn(body: unknown): string[] | undefined {
  const list = isRecord(body) ? (body.data ?? body.models) : body
  if (!isList(list)) return undefined
  const names = list.map((item) => (isRecord(item) ? (item.id ?? item.name) : item))
  return [...new Set(names.filter((name): name is string => typeof name === 'string' && isChatModel(name)))]
}

/**
 * One tolerant adapter for every server that speaks OpenAI's chat completions: OpenAI, DeepSeek, xAI, OpenRouter,
 * Azure, vLLM, llama.cpp, LM Studio, Ollama (backends 2.3). A parameter that a server refuses by name is dropped once.
 */
export function createOpenaiProvider(config: ProviderConfig, options: OpenaiProviderOptions): Provider {
  const {log, ports = realOutboundPorts, deadlines = answerDeadlines} = options
  const {modelsDeadline = 10_000, finishPatience = 5_000} = options
  const quirks = new Map<string, Quirks>()

  const ask = (
    input: ChatInput,
    messages: WireMessage[],
    modelQuirks: Quirks,
    key: Record<string, string>,
    signal: AbortSignal,
  ): Promise<OutboundResponse> =>
    callUpstream(
      {
        upstream: config,
        path: '/chat/completions',
        method: 'POST',
        headers: {accept: 'text/event-stream', ...key},
        body: chatBody(input, messages, modelQuirks),
        signal,
        deadlines,
      },
      ports,
    )

  const open = async (input: ChatInput) => {
    const messages = await toWireMessages(input)
    const keyOf = createRequestKeys(input.run)
    for (;;) {
      const currentQuirks = quirks.get(input.model) ?? {withoutUsage: false, completionCap: false}
      const enough = new AbortController()
      const response = await ask(
        input,
        messages,
        currentQuirks,
        keyOf(currentQuirks),
        AbortSignal.any([input.signal, enough.signal]),
      )
      if (response.status >= 200 && response.status < 300) return {read: response.read, leave: () => enough.abort()}
      const body = await readAll(response.text)
      const adaptation = response.status === 400 || response.status === 422 ? adapt(currentQuirks, body) : undefined
      if (adaptation === undefined) throw answerFailure(config, response, body)
      quirks.set(input.model, adaptation)
    }
  }

  const chat: Provider['chat'] = (input, take) =>
    readAnswer(
      {
        upstream: config,
        open: () => open(input),
        malformed: () => log.warn('unreadable line of a model server skipped', {provider: config.name}),
        signal: input.signal,
        timers: ports.timers,
        finishPatience,
      },
      take,
    )

  const models = async (signal: AbortSignal): Promise<readonly ServedModel[]> => {
    const names = config.models.length > 0 ? config.models : await listModels(signal)
    return names.map((name) => describeModel(name, config))
  }

  const listModels = async (signal: AbortSignal): Promise<string[]> => {
    const bounds = {firstByteMilliseconds: modelsDeadline, idleMilliseconds: modelsDeadline}
    const response = await callUpstream(
      {upstream: config, path: '/models', method: 'GET', signal, deadlines: bounds},
      ports,
    )
    const body = readErrorBody(await readAll(response.text, 4 * 1024 * 1024))
    if (response.status !== 200) throw upstreamFailure(config, {body, status: response.status})
    const names = chatModelsIn(body)
    if (names === undefined) throw new ProviderFailure('api_error', `${config.name} does not list its models.`)
    return names
  }

  return {name: config.name, kind: 'openai', local: config.local, models, chat}
}

/** The next thing to leave out when the refusal names it; `undefined` when nothing is left to change. */
function adapt(modelQuirks: Quirks, body: string): Quirks | undefined {
  if (!modelQuirks.withoutUsage && /stream_options|include_usage/.test(body))
    return {...modelQuirks, withoutUsage: true}
  if (!modelQuirks.completionCap && /max_tokens/.test(body)) return {...modelQuirks, completionCap: true}
  return undefined
}
