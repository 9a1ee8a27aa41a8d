import type {ProviderConfig} from '#server/config.ts'
import type {OutboundPorts} from '#server/providers/outbound.ts'
import {ProviderFailure, type ChatEvent, type ChatInput, type Provider} from '#server/providers/provider.ts'
import {quietTimers} from './providers.fixtures.ts'

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
    for await (const event of provider.chat(input)) events.push(event)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return {events, failure: error}
  }
  return {events, failure: undefined}
}

export type Sent = {url: string; headers: Record<string, string>; body: Record<string, unknown>; redirect: unknown}

/** Answers each request with the next response and keeps what was sent. */
export function peer(...responses: (() => Response | Promise<Response>)[]) {
  const sent: Sent[] = []
  const fetchPort: typeof fetch = async (url, init) => {
    sent.push({
      url: url instanceof Request ? url.url : url.toString(),
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {},
      redirect: init?.redirect,
    })
    const respond = responses.shift()
    if (respond === undefined) throw new Error('no more responses')
    return respond()
  }
  const ports: OutboundPorts = {fetch: fetchPort, timers: quietTimers}
  return {sent, ports}
}

export const lines = (...data: unknown[]) =>
  data.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('')
export const ok = () => new Response(lines({choices: [{delta: {content: 'ok'}, finish_reason: 'stop'}]}, '[DONE]'))
