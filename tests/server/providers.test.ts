import {describe, expect, test} from 'vitest'
import type {ServedModel} from '#contract/management.ts'
import type {ProviderConfig} from '#server/config.ts'
import {silentLog} from '#server/log.ts'
import {createAcedataProvider} from '#server/providers/acedata/acedata-provider.ts'
import {withBreaker} from '#server/providers/breaker.ts'
import {createOpenaiProvider} from '#server/providers/openai/openai-provider.ts'
import {endpoint, type OutboundPorts} from '#server/providers/outbound.ts'
import {
  ProviderFailure,
  type ChatEvent,
  type ChatInput,
  type Provider,
  type StoredFile,
} from '#server/providers/provider.ts'
import {createProviderRegistry} from '#server/providers/registry.ts'
import {manualTimers, quietTimers} from './providers.fixtures.ts'
import {eventually} from '../eventually.ts'

const configOf = (overrides: Partial<ProviderConfig> = {}): ProviderConfig => ({
  name: 'foo',
  kind: 'openai',
  baseUrl: 'https://models.test/v1',
  apiKey: 'sk-test',
  groups: ['chatgpt'],
  models: ['foo-model'],
  local: false,
  ...overrides,
})

const inputOf = (overrides: Partial<ChatInput> = {}): ChatInput => ({
  model: 'foo-model',
  messages: [{role: 'user', content: 'foo'}],
  answerCap: 100,
  signal: new AbortController().signal,
  ...overrides,
})

async function collect(provider: Provider, input = inputOf()) {
  const events: ChatEvent[] = []
  try {
    for await (const event of provider.chat(input)) events.push(event)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return {events, failure: error}
  }
  return {events, failure: undefined}
}

type Sent = {url: string; headers: Record<string, string>; body: Record<string, unknown>; redirect: unknown}

/** Answers each request with the next response and keeps what was sent. */
function peer(...responses: (() => Response | Promise<Response>)[]) {
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

const lines = (...data: unknown[]) =>
  data.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('')
const ok = () => new Response(lines({choices: [{delta: {content: 'ok'}, finish_reason: 'stop'}]}, '[DONE]'))

describe('what an openai-compatible server is sent', () => {
  const sentFor = async (input: Partial<ChatInput>, config: Partial<ProviderConfig> = {}) => {
    const {sent, ports} = peer(ok)
    const run = await collect(createOpenaiProvider(configOf(config), {log: silentLog, ports}), inputOf(input))
    return {...run, request: sent[0]}
  }

  test('the key, no redirects, the address below any base', async () => {
    const {request} = await sentFor({})
    expect(request).toMatchObject({
      url: 'https://models.test/v1/chat/completions',
      redirect: 'error',
      headers: {authorization: 'Bearer sk-test'},
    })
    expect(endpoint('https://models.test', '/models')).toBe('https://models.test/models')
    expect(endpoint('https://models.test/v1/', '/models')).toBe('https://models.test/v1/models')
    const azure = await sentFor(
      {},
      {baseUrl: 'https://foo.openai.azure.com/openai/deployments/bar?api-version=2026-01-01'},
    )
    expect(azure.request?.url).toBe(
      'https://foo.openai.azure.com/openai/deployments/bar/chat/completions?api-version=2026-01-01',
    )
    expect(azure.request?.headers['api-key']).toBe('sk-test')
    expect((await sentFor({}, {apiKey: undefined})).request?.headers).not.toHaveProperty('authorization')
  })

  test('turns without reasoning, neighbours of one role joined, empty ones left out', async () => {
    const {request} = await sentFor({
      messages: [
        {role: 'system', content: 'Be brief.'},
        {role: 'user', content: 'one'},
        {role: 'assistant', content: '<think>secret</think>\n\nfirst <think>'},
        {role: 'user', content: 'two'},
        {role: 'assistant', content: '<think>only thought'},
        {role: 'user', content: [{type: 'text', text: 'three'}]},
      ],
    })
    expect(request?.body['messages']).toEqual([
      {role: 'system', content: 'Be brief.'},
      {role: 'user', content: 'one'},
      {role: 'assistant', content: 'first <think>'},
      {role: 'user', content: 'two\n\nthree'},
    ])
  })

  const file = (name: string, type: string, bytes: string, size = bytes.length): StoredFile => ({
    name,
    type,
    size,
    read: () => Promise.resolve(new TextEncoder().encode(bytes)),
  })
  const own: Record<string, StoredFile> = {
    'https://own.test/a.png': file('a.png', 'image/png', 'png'),
    'https://own.test/b.txt': file('b.txt', 'text/plain', 'plain text'),
    'https://own.test/c.pdf': file('c.pdf', 'application/pdf', 'pdf'),
    'https://own.test/d.svg': file('d.svg', 'image/svg+xml', '<svg/>'),
    'https://own.test/huge.png': file('huge.png', 'image/png', 'x', 21 * 1024 * 1024),
    'https://own.test/long.txt': file('long.txt', 'text/plain', 'x', 600 * 1024),
  }
  const withFiles = (...urls: string[]): Partial<ChatInput> => ({
    storedFile: (url) => Promise.resolve(own[url]),
    messages: [
      {
        role: 'user',
        content: [
          {type: 'text', text: 'look'},
          ...urls.map((url) =>
            /png$/.test(url)
              ? {type: 'image_url' as const, image_url: {url}}
              : {type: 'file_url' as const, file_url: url},
          ),
        ],
      },
    ],
  })

  test('own files are sent along, foreign addresses are passed on and fetched by nobody', async () => {
    const {request} = await sentFor(
      withFiles(
        'https://own.test/a.png',
        'https://own.test/b.txt',
        'https://own.test/c.pdf',
        'https://own.test/d.svg',
        'https://foreign.test/x.png',
        'https://foreign.test/y.zip',
      ),
    )
    expect(request?.body['messages']).toEqual([
      {
        role: 'user',
        content: [
          {type: 'text', text: 'look'},
          {type: 'image_url', image_url: {url: 'data:image/png;base64,cG5n'}},
          {type: 'text', text: 'Attached file b.txt:\n\nplain text'},
          {type: 'file', file: {filename: 'c.pdf', file_data: 'data:application/pdf;base64,cGRm'}},
          {type: 'text', text: 'Attached file d.svg:\n\n<svg/>'},
          {type: 'image_url', image_url: {url: 'https://foreign.test/x.png'}},
          {type: 'text', text: 'Attached file: https://foreign.test/y.zip'},
        ],
      },
    ])
  })

  test.each(['https://own.test/huge.png', 'https://own.test/long.txt'])(
    '%s is too much: refused before anything is sent',
    async (url) => {
      const {failure, request} = await sentFor(withFiles(url))
      expect(failure?.code).toBe('content_too_large')
      expect(request).toBeUndefined()
    },
  )

  const refusal = (message: string) => () => Response.json({error: {message}}, {status: 400})

  test('a parameter refused by name is left out, once each, and remembered for the model', async () => {
    const {sent, ports} = peer(
      refusal(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      refusal('Unknown parameter: stream_options.'),
      ok,
      ok,
    )
    const provider = createOpenaiProvider(configOf(), {log: silentLog, ports})
    expect((await collect(provider)).events.at(-1)).toEqual({type: 'finished'})
    expect((await collect(provider)).events.at(-1)).toEqual({type: 'finished'})
    const asked = sent.map(({body}) =>
      Object.keys(body)
        .filter((key) => /max|options/.test(key))
        .sort(),
    )
    expect(asked).toEqual([
      ['max_tokens', 'stream_options'],
      ['max_completion_tokens', 'stream_options'],
      ['max_completion_tokens'],
      ['max_completion_tokens'],
    ])
    expect(sent[2]?.body['max_completion_tokens']).toBe(100)
  })

  test('the same refusal again is said, not tried for ever', async () => {
    const again = refusal('max_tokens is too large: 100')
    const {sent, ports} = peer(again, again)
    const {failure} = await collect(createOpenaiProvider(configOf(), {log: silentLog, ports}))
    expect(failure).toMatchObject({code: 'bad_request', detail: 'max_tokens is too large: 100'})
    expect(sent).toHaveLength(2)
  })
})

describe('deadlines', () => {
  const silentServer = () => {
    const clock = manualTimers()
    let writer: ReadableStreamDefaultController<Uint8Array> | undefined
    const fetchPort: typeof fetch = (_, init) =>
      Promise.resolve(
        new Response(
          new ReadableStream<Uint8Array>({
            start: (controller) => {
              writer = controller
              init?.signal?.addEventListener('abort', () => controller.error(new DOMException('aborted', 'AbortError')))
            },
          }),
        ),
      )
    const provider = createOpenaiProvider(configOf(), {
      log: silentLog,
      ports: {fetch: fetchPort, timers: clock.timers},
      deadlines: {firstByteMilliseconds: 1_000, idleMilliseconds: 2_000},
    })
    return {clock, provider, write: (text: string) => writer?.enqueue(new TextEncoder().encode(text))}
  }

  test('silence in mid-answer ends it as contact lost; each byte, also of a comment, begins the wait anew', async () => {
    const {clock, provider, write} = silentServer()
    const events = provider.chat(inputOf())[Symbol.asyncIterator]()
    const first = events.next()
    await new Promise((resolve) => setImmediate(resolve))
    write(lines({choices: [{delta: {content: 'a'}}]}))
    expect((await first).value).toEqual({type: 'delta', text: 'a'})
    const second = events.next()
    write(': keep-alive\n\n')
    await new Promise((resolve) => setImmediate(resolve))
    expect(clock.waiting()).toEqual([2_000])
    clock.fire(2_000)
    await expect(second).rejects.toMatchObject({
      code: 'timeout',
      detail: 'foo was silent for 2 s.',
      options: {interrupted: true},
    })
    expect(clock.waiting()).toEqual([])
  })

  test('a server that never answers', async () => {
    const clock = manualTimers()
    const never: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
      )
    const provider = createOpenaiProvider(configOf(), {
      log: silentLog,
      ports: {fetch: never, timers: clock.timers},
      deadlines: {firstByteMilliseconds: 1_000, idleMilliseconds: 2_000},
    })
    const run = collect(provider)
    await new Promise((resolve) => setImmediate(resolve))
    clock.fire(1_000)
    expect((await run).failure).toMatchObject({
      code: 'timeout',
      detail: 'foo was silent for 1 s.',
      options: {interrupted: false},
    })
  })

  test('a stop aborts the request', async () => {
    const {provider} = silentServer()
    const stop = new AbortController()
    const run = collect(provider, inputOf({signal: stop.signal}))
    await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    expect((await run).failure?.code).toBe('canceled')
  })
})

describe('acedata', () => {
  const providerWith = (respond: () => Response) => {
    const {sent, ports} = peer(respond)
    const config = configOf({
      name: 'acedata',
      kind: 'acedata',
      baseUrl: 'https://api.test',
      models: [],
      groups: ['chatgpt', 'grok'],
    })
    return {sent, provider: createAcedataProvider(config, {log: silentLog, ports})}
  }

  test('one question is passed on as it is, without keeping a conversation there', async () => {
    const {sent, provider} = providerWith(
      () => new Response(lines({answer: 'Te', delta_answer: 'Te'}, {answer: 'Tea', delta_answer: 'a'}, '[DONE]')),
    )
    const content = [
      {type: 'text' as const, text: 'look'},
      {type: 'image_url' as const, image_url: 'https://foo.test/a.png'},
    ]
    const {events} = await collect(provider, inputOf({model: 'gpt-4o', messages: [{role: 'user', content}]}))
    expect(events).toEqual([{type: 'delta', text: 'Te'}, {type: 'delta', text: 'a'}, {type: 'finished'}])
    expect(sent[0]).toMatchObject({
      url: 'https://api.test/aichat/conversations',
      headers: {authorization: 'Bearer sk-test', accept: 'text/event-stream'},
      body: {model: 'gpt-4o', question: 'look', references: ['https://foo.test/a.png'], stateful: false},
    })
    expect(sent[0]?.body).not.toHaveProperty('preset')
  })

  test('earlier turns travel in the preset', async () => {
    const {sent, provider} = providerWith(() => new Response(lines({delta_answer: 'x'}, '[DONE]')))
    await collect(
      provider,
      inputOf({
        messages: [
          {role: 'system', content: 'Be brief.'},
          {role: 'user', content: 'one'},
          {role: 'assistant', content: '<think>hm</think>first'},
          {role: 'user', content: 'two'},
        ],
      }),
    )
    expect(sent[0]?.body).toMatchObject({
      question: 'two',
      preset: 'Be brief.\n\nThe conversation so far:\n\nUser: one\n\nAssistant: first',
    })
  })

  test.each([
    [
      'ndjson without an end mark',
      '{"answer":"a","delta_answer":"a","id":"1"}\n{"answer":"ab","delta_answer":"b","id":"1"}\n',
      'ab',
      undefined,
    ],
    ['cumulative answers only', lines({answer: 'a'}, {answer: 'abc'}, '[DONE]'), 'abc', undefined],
    ['plain JSON', '{"answer":"whole"}', 'whole', undefined],
    ['a frame that says it is done', lines({delta_answer: 'all'}, {type: 'done'}), 'all', undefined],
    [
      'an event stream that ends at a line without an end mark',
      lines({delta_answer: 'part'}, {delta_answer: ' of it'}),
      'part of it',
      {code: 'api_error', detail: 'The answer of acedata broke off.'},
    ],
    [
      'ndjson that ends inside a line',
      '{"delta_answer":"part"}\n{"delta_an',
      'part',
      {code: 'api_error', detail: 'The answer of acedata broke off.'},
    ],
    ['ndjson without text', '{"id":"1"}\n', '', {code: 'api_error', detail: 'acedata ended without an answer.'}],
    [
      'an error after text',
      lines({delta_answer: 'part'}, {error: {code: 'chat_error', message: 'Upstream broke.'}}),
      'part',
      {code: 'api_error', detail: 'Upstream broke.'},
    ],
    [
      'a typed error',
      lines({type: 'error', code: 'too_many_requests', message: 'Wait.', status: 429}),
      '',
      {code: 'too_many_requests', detail: 'Wait.'},
    ],
    ['nothing at all', '', '', {code: 'api_error', detail: 'acedata ended without an answer.'}],
    [
      'a cut line',
      `${lines({delta_answer: 'part'})}data: {"delta`,
      'part',
      {code: 'api_error', detail: 'The answer of acedata broke off.'},
    ],
    [
      'a page',
      '<html></html>',
      '',
      {code: 'api_error', detail: 'acedata answered with a web page. Check its base address.'},
    ],
  ])('%s', async (_, body, text, failure) => {
    const run = await collect(providerWith(() => new Response(body)).provider)
    expect(run.events.map((event) => (event.type === 'delta' ? event.text : '')).join('')).toBe(text)
    expect(run.failure && {code: run.failure.code, detail: run.failure.detail}).toEqual(failure)
    expect(run.events.some(({type}) => type === 'finished')).toBe(failure === undefined)
  })

  test('an end without an end mark is an interruption, not a refusal', async () => {
    const {failure} = await collect(providerWith(() => new Response(lines({delta_answer: 'part'}))).provider)
    expect(failure?.options.interrupted).toBe(true)
  })

  test('a refusal keeps its code; a wrong key is not blamed on the person', async () => {
    const refused = (status: number, code: string) => () =>
      Response.json({error: {code, message: 'Words.'}, trace_id: '1'}, {status})
    expect((await collect(providerWith(refused(403, 'forbidden')).provider)).failure).toMatchObject({
      code: 'forbidden',
      detail: 'Words.',
    })
    expect((await collect(providerWith(refused(403, 'used_up')).provider)).failure).toMatchObject({
      code: 'payment_required',
      detail: 'The account of this installation at acedata has no credit left.',
    })
    expect((await collect(providerWith(refused(401, 'invalid_token')).provider)).failure).toMatchObject({
      code: 'api_error',
      detail: 'acedata does not accept the key of this installation.',
    })
  })

  test('serves the models of the specification in its groups', async () => {
    const models = await providerWith(ok).provider.models(new AbortController().signal)
    expect(models.map(({name}) => name)).toContain('gpt-5-all')
    expect(models.map(({name}) => name)).toContain('grok-4')
    expect(models.map(({name}) => name)).not.toContain('deepseek-r1')
  })
})

const served = (name: string, provider = 'foo'): ServedModel => ({name, group: 'chatgpt', provider, enabled: true})
const providerOf = (overrides: Partial<Provider>): Provider => ({
  name: 'foo',
  kind: 'openai',
  local: false,
  models: () => Promise.resolve([served('foo-model')]),
  chat: async function* () {
    yield {type: 'finished'}
  },
  ...overrides,
})

describe('breaker', () => {
  test('opens after five faults in a row, lets one probe through, waits longer after each failed one', async () => {
    let time = 0
    let asked = 0
    let error: Error | undefined = new ProviderFailure('api_error', 'down')
    const provider = withBreaker(
      providerOf({
        chat: async function* () {
          asked += 1
          if (error !== undefined) throw error
          yield {type: 'finished'}
        },
      }),
      () => new Date(time),
    )
    const run = async () => (await collect(provider)).failure?.code
    for (let call = 0; call < 4; call += 1) expect(await run()).toBe('api_error')
    error = new ProviderFailure('bad_request', 'your fault') // proves that the server is alive
    expect(await run()).toBe('bad_request')
    error = new ProviderFailure('timeout', 'down')
    for (let call = 0; call < 5; call += 1) expect(await run()).toBe('timeout')
    expect(asked).toBe(10)
    expect((await collect(provider)).failure).toMatchObject({code: 'busy', options: {retryAfterSeconds: 15}})
    expect(asked).toBe(10)

    for (const pause of [15_000, 30_000, 60_000, 60_000]) {
      time += pause - 1
      expect(await run()).toBe('busy')
      time += 1
      const probe = collect(provider)
      expect(await run()).toBe('busy') // one probe, not a crowd
      expect((await probe).failure?.code).toBe('timeout')
    }
    expect(asked).toBe(14)
    time += 60_000
    error = undefined
    expect(await run()).toBeUndefined()
    expect(await run()).toBeUndefined()
  })
})

describe('registry', () => {
  const options = {detect: () => Promise.resolve([]), sandbox: undefined, now: () => new Date(0), log: silentLog}

  test('the first provider that serves a model keeps it; what nobody serves is disabled with the reason', async () => {
    const first = providerOf({
      name: 'first',
      models: () => Promise.resolve([served('gpt-4o', 'first'), served('own', 'first')]),
    })
    const second = providerOf({name: 'second', models: () => Promise.resolve([served('gpt-4o', 'second')])})
    const local = providerOf({
      name: 'ollama',
      local: true,
      models: () => Promise.resolve([{...served('llama', 'ollama'), local: true}]),
    })
    const sandbox = providerOf({
      name: 'sandbox',
      kind: 'sandbox',
      models: () => Promise.resolve([served('sandbox-chatgpt', 'sandbox')]),
    })
    const registry = createProviderRegistry({
      ...options,
      configured: [
        {provider: first, groups: ['chatgpt']},
        {provider: second, groups: ['chatgpt']},
      ],
      detect: () => Promise.resolve([local]),
      sandbox,
    })
    const models = await registry.models()
    expect(models.filter(({enabled}) => enabled).map(({name, provider}) => `${provider}/${name}`)).toEqual([
      'first/gpt-4o',
      'first/own',
      'ollama/llama',
      'sandbox/sandbox-chatgpt',
    ])
    expect(models.find(({name}) => name === 'gpt-5-all')).toMatchObject({
      enabled: false,
      disabled: 'not_served',
      provider: 'first',
    })
    expect(models.find(({name}) => name === 'grok-4')).toMatchObject({
      enabled: false,
      disabled: 'not_configured',
      provider: 'none',
    })
    expect((await registry.find('gpt-4o'))?.name).toBe('first')
    expect(await registry.find('gpt-5-all')).toBeUndefined()
    expect(await registry.find('nobody')).toBeUndefined()
    expect(registry.isSandboxOnly()).toBe(false)
  })

  test('looks once a minute for many, at once for a new name, and keeps what a silent provider named', async () => {
    let time = 0
    let looks = 0
    let names = ['one']
    let isDown = false
    const provider = providerOf({
      models: () => {
        looks += 1
        return isDown ? Promise.reject(new Error('down')) : Promise.resolve(names.map((name) => served(name)))
      },
    })
    const registry = createProviderRegistry({
      ...options,
      now: () => new Date(time),
      configured: [{provider, groups: ['chatgpt']}],
    })
    await Promise.all([registry.models(), registry.models(), registry.find('one')])
    expect(looks).toBe(1)
    names = ['one', 'two']
    expect(await registry.find('two')).toBeUndefined() // asked a moment ago
    time += 5_000
    expect((await registry.find('two'))?.name).toBe('foo')
    isDown = true
    time += 60_000
    expect((await registry.models()).filter(({enabled}) => enabled).map(({name}) => name)).toEqual(['one', 'two'])
    expect(looks).toBe(3)
  })

  test('a provider that hangs holds up nobody who can be told what was known before, and is asked again soon', async () => {
    let time = 0
    let looks = 0
    let hangs = false
    let answer: (models: ServedModel[]) => void = () => undefined
    const provider = providerOf({
      models: () => {
        looks += 1
        return hangs ? new Promise((resolve) => (answer = resolve)) : Promise.resolve([served('one')])
      },
    })
    const registry = createProviderRegistry({
      ...options,
      now: () => new Date(time),
      configured: [{provider, groups: ['chatgpt']}],
      patience: 0,
    })
    const names = async () => (await registry.models()).filter(({enabled}) => enabled).map(({name}) => name)
    expect(await names()).toEqual(['one'])
    hangs = true
    time += 60_000
    expect(await names()).toEqual(['one'])
    expect(await names()).toEqual(['one'])
    expect(looks).toBe(2)
    answer([served('one'), served('two')])
    await eventually(async () => expect(await names()).toEqual(['one', 'two']))
  })

  test('a provider that was silent is asked again after five seconds', async () => {
    let time = 0
    let isDown = true
    const provider = providerOf({
      models: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve([served('one')])),
    })
    const registry = createProviderRegistry({
      ...options,
      now: () => new Date(time),
      configured: [{provider, groups: ['chatgpt']}],
    })
    expect((await registry.models()).filter(({enabled}) => enabled)).toEqual([])
    isDown = false
    expect((await registry.models()).filter(({enabled}) => enabled)).toEqual([])
    time += 5_000
    expect((await registry.models()).filter(({enabled}) => enabled)).toHaveLength(1)
  })

  test('with the sandbox alone the installation says so', async () => {
    const sandbox = providerOf({name: 'sandbox', kind: 'sandbox'})
    const registry = createProviderRegistry({...options, configured: [], sandbox})
    expect(registry.isSandboxOnly()).toBe(true)
    await registry.models()
    expect(registry.isSandboxOnly()).toBe(true)
  })
})
