import {LLMock} from '@copilotkit/aimock'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {ProviderConfig} from '#server/config.ts'
import {silentLog} from '#server/log.ts'
import {detectLocalProviders} from '#server/providers/detect-local.ts'
import {createOpenaiProvider} from '#server/providers/openai/openai-provider.ts'
import {ProviderFailure, type ChatEvent, type ChatInput} from '#server/providers/provider.ts'

/* The adapter against a real HTTP server that speaks OpenAI's chat completions. */

let mock: LLMock
let port = 0
const ports = Array.from({length: 20}, (_, index) => 4180 + index)

beforeAll(async () => {
  for (const candidate of ports) {
    mock = new LLMock({port: candidate, host: '127.0.0.1', chunkSize: 4})
    try {
      await mock.start()
      port = candidate
      break
    } catch (error) {
      if (candidate === ports.at(-1)) throw error
    }
  }
  mock.onMessage('hello', {content: 'Hello from the other side.'})
  mock.onMessage('reason', {content: 'It is 42.', reasoning: 'Six times seven.'})
  mock.onMessage('cut', {content: 'This answer never comes to its end.'}, {truncateAfterChunks: 3, latency: 20})
  mock.onMessage('refuse', {
    error: {message: 'Too many requests for foo.', type: 'rate_limit_error', code: 'rate_limit_exceeded'},
    status: 429,
  })
})
afterAll(() => mock.stop())

const configOf = (overrides: Partial<ProviderConfig> = {}): ProviderConfig => ({
  name: 'foo',
  kind: 'openai',
  baseUrl: `http://127.0.0.1:${port}/v1`,
  apiKey: 'sk-test',
  groups: ['chatgpt'],
  models: [],
  local: false,
  ...overrides,
})

async function ask(question: string, overrides: Partial<ProviderConfig> = {}) {
  const provider = createOpenaiProvider(configOf(overrides), {log: silentLog})
  const input: ChatInput = {
    run: 'foo-run',
    model: 'gpt-4o',
    messages: [{role: 'user', content: question}],
    answerCap: 64,
    signal: new AbortController().signal,
  }
  const events: ChatEvent[] = []
  try {
    await provider.chat(input, (event) => events.push(event) > 0)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return {events, failure: error}
  }
  return {events, failure: undefined}
}
const textOf = (events: readonly ChatEvent[]) =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('')

describe('over HTTP', () => {
  test('a streamed answer with its usage', async () => {
    const {events, failure} = await ask('hello')
    expect(failure).toBeUndefined()
    expect(textOf(events)).toBe('Hello from the other side.')
    expect(events.filter(({type}) => type === 'delta').length).toBeGreaterThan(3)
    expect(events.slice(-2)).toEqual([
      {type: 'usage', promptTokens: expect.any(Number), completionTokens: expect.any(Number)},
      {type: 'finished'},
    ])
  })

  test('what was sent: key, model, cap, stream with usage', async () => {
    mock.clearRequests()
    await ask('hello')
    const [request] = mock.getRequests()
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.body).toMatchObject({
      model: 'gpt-4o',
      messages: [{role: 'user', content: 'hello'}],
      stream: true,
      stream_options: {include_usage: true},
      max_tokens: 64,
    })
  })

  test('reasoning before the text', async () => {
    expect(textOf((await ask('reason')).events)).toBe('<think>Six times seven.</think>It is 42.')
  })

  test('a connection cut in mid-answer is contact lost, the text before it stays', async () => {
    const {events, failure} = await ask('cut')
    expect('This answer never comes to its end.'.startsWith(textOf(events))).toBe(true)
    expect(events).not.toContainEqual({type: 'finished'})
    expect(failure).toMatchObject({code: 'api_error', options: {interrupted: true}})
  })

  test('a refusal with its code and words', async () => {
    const {failure} = await ask('refuse')
    expect(failure).toEqual(
      new ProviderFailure('too_many_requests', 'Too many requests for foo.', {
        status: 429,
        retryAfterSeconds: expect.any(Number),
      }),
    )
  })

  test('a port on which nobody listens', async () => {
    const {failure} = await ask('hello', {baseUrl: 'http://127.0.0.1:9/v1'})
    expect(failure?.code).toBe('api_error')
    expect(failure?.detail).toContain('foo cannot be reached')
  })
})

test('a local server is found by the models it lists; a port without one is not offered', async () => {
  const servers = [
    {name: 'ollama', port},
    {name: 'lmstudio', port: 9},
  ]
  const found = await detectLocalProviders({log: silentLog, servers, deadline: 5_000})
  expect(found.map(({name, local}) => ({name, local}))).toEqual([{name: 'ollama', local: true}])
  const models = await found[0]?.models(new AbortController().signal)
  expect(models?.length).toBeGreaterThan(0)
  for (const model of models ?? [])
    expect(model).toMatchObject({group: 'chatgpt', local: true, provider: 'ollama', enabled: true})
})
