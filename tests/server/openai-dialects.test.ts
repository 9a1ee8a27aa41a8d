import {readdirSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {silentLog} from '#server/log.ts'
import {createOpenaiProvider} from '#server/providers/openai/openai-provider.ts'
import {ProviderFailure, type ChatEvent, type Provider} from '#server/providers/provider.ts'
import {quietTimers, sendBy} from './providers.fixtures.ts'

type Fixture = {
  about: string
  response: {status: number; headers: Record<string, string>; chunks: string[]; cut?: boolean}
  expected: {events: ChatEvent[]; failure?: Record<string, unknown>}
}

const folder = new URL('../fixtures/providers/', import.meta.url)
const dialects = readdirSync(folder).map((file) => ({
  name: file.replace('.json', ''),
  fixture: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Fixture,
}))

/** A server that answers with these bytes, in these pieces; `cut` breaks the connection after the last. */
function providerFor({status, headers, cut}: Fixture['response'], pieces: readonly Uint8Array[]): Provider {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      // The reader reads the enqueued bytes before the error only if it had its turn.
      if (cut) await drained(controller)
      if (cut) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
  return createOpenaiProvider(
    {
      name: 'foo',
      kind: 'openai',
      baseUrl: 'https://models.test/v1',
      apiKey: 'sk-canary-key',
      groups: ['chatgpt'],
      models: ['foo-model'],
      local: false,
    },
    {log: silentLog, ports: {send: sendBy(() => new Response(body, {status, headers})), timers: quietTimers}},
  )
}

async function drained(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
  while ((controller.desiredSize ?? 0) < 1) await new Promise((resolve) => setImmediate(resolve))
}

async function collect(provider: Provider): Promise<{events: ChatEvent[]; failure: ProviderFailure | undefined}> {
  const events: ChatEvent[] = []
  try {
    const input = {
      run: 'foo-run',
      model: 'foo-model',
      messages: [{role: 'user' as const, content: 'foo'}],
      answerCap: 100,
      signal: new AbortController().signal,
    }
    await provider.chat(input, (event) => events.push(event) > 0)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return {events, failure: error}
  }
  return {events, failure: undefined}
}

const facts = (failure: ProviderFailure | undefined) =>
  failure && {
    code: failure.code,
    detail: failure.detail,
    status: failure.options.status,
    retryAfterSeconds: failure.options.retryAfterSeconds,
    interrupted: failure.options.interrupted,
  }

const textOf = (events: readonly ChatEvent[]) =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('')
const rest = (events: readonly ChatEvent[]) => events.filter((event) => event.type !== 'delta')

test('all dialects of the survey are here', () => {
  expect(dialects.length).toBeGreaterThanOrEqual(22)
})

describe.each(dialects)('$name', ({fixture}) => {
  const {response, expected} = fixture
  const encoder = new TextEncoder()

  test(`as sent: ${fixture.about}`, async () => {
    const run = await collect(
      providerFor(
        response,
        response.chunks.map((chunk) => encoder.encode(chunk)),
      ),
    )
    expect(run.events).toEqual(expected.events)
    expect(facts(run.failure)).toEqual(
      expected.failure && {
        status: undefined,
        retryAfterSeconds: undefined,
        interrupted: undefined,
        ...expected.failure,
      },
    )
  })

  test('byte by byte: the same text and the same end', async () => {
    const bytes = encoder.encode(response.chunks.join(''))
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte))
    const run = await collect(providerFor(response, pieces))
    expect(textOf(run.events)).toBe(textOf(expected.events))
    expect(rest(run.events)).toEqual(rest(expected.events))
    expect(facts(run.failure)).toEqual(
      expected.failure && {
        status: undefined,
        retryAfterSeconds: undefined,
        interrupted: undefined,
        ...expected.failure,
      },
    )
  })
})
