import type {ProviderConfig} from '#server/config.ts'
import type {OutboundPorts} from '#server/providers/outbound.ts'
import {ProviderFailure, type ChatEvent, type ChatInput, type Provider} from '#server/providers/provider.ts'
import {quietTimers, sendBy} from './providers.fixtures.ts'

export const configOf = (overrides: Partial<ProviderConfig> = {}): ProviderConfig => ({
  name: 'foo',
  kind: 'openai',
  baseUrl: 'https://models.test/v1',
  apiKey: 'sk-test',
  groups: ['chatgpt'],
  models: ['foo-model'],
  local: false,
  ...overrides,
})

export const inputOf = (overrides: Partial<ChatInput> = {}): ChatInput => ({
  run: 'foo-run',
  model: 'foo-model',
  messages: [{role: 'user', content: 'foo'}],
  answerCap: 100,
  signal: new AbortController().signal,
  ...overrides,
})

export async function collect(provider: Provider, input = inputOf()) {
  const events: ChatEvent[] = []
  try {
    await provider.chat(input, (event) => events.push(event) > 0)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return {events, failure: error}
  }
  return {events, failure: undefined}
}

export type Sent = {url: string; headers: Record<string, string>; body: Record<string, unknown>}

/** Answers each request with the next response and keeps what was sent. */
export function peer(...responses: (() => Response | Promise<Response>)[]) {
  const sent: Sent[] = []
  const send = sendBy((url, {headers, body}) => {
    sent.push({
      url,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? (JSON.parse(body) as Record<string, unknown>) : {},
    })
    const respond = responses.shift()
    if (respond === undefined) throw new Error('no more responses')
    return respond()
  })
  const ports: OutboundPorts = {send, timers: quietTimers}
  return {sent, ports}
}

export const lines = (...data: unknown[]) =>
  data.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('')
export const ok = () => new Response(lines({choices: [{delta: {content: 'ok'}, finish_reason: 'stop'}]}, '[DONE]'))
