import {describe, expect, test} from 'vitest'
import {ProviderFailure} from '#server/providers/provider.ts'
import type {ProviderConfig} from '#server/config.ts'
import {silentLog} from '#server/log.ts'
import {createOpenaiProvider} from '#server/providers/openai/openai-provider.ts'
import {endpoint} from '#server/providers/call-upstream.ts'
import type {OutboundPorts} from '#server/providers/outbound.ts'
import type {ChatEvent, ChatInput, StoredFile} from '#server/providers/provider.ts'
import {createArrivals} from './arrivals.ts'
import {manualTimers, sendBy} from './providers.fixtures.ts'
import {configOf, inputOf, collect, peer, lines, ok} from './openai-peer.ts'
import {eventually} from '../eventually.ts'

describe('what an openai-compatible server is sent', () => {
  const sentFor = async (input: Partial<ChatInput>, config: Partial<ProviderConfig> = {}) => {
    const {sent, ports} = peer(ok)
    const run = await collect(createOpenaiProvider(configOf(config), {log: silentLog, ports}), inputOf(input))
    return {...run, request: sent[0]}
  }

  test('the key, the address below any base', async () => {
    const {request} = await sentFor({})
    expect(request).toMatchObject({
      url: 'https://models.test/v1/chat/completions',
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

  test('files of an answer go along with the question after it: of an assistant servers take text alone', async () => {
    const image = (url: string) => ({type: 'image_url' as const, image_url: url})
    const {request} = await sentFor({
      storedFile: (url) => Promise.resolve(own[url]),
      messages: [
        {role: 'user', content: 'Draw one'},
        {role: 'assistant', content: [{type: 'text', text: 'Here it is.'}, image('https://own.test/a.png')]},
        {role: 'user', content: 'Another one'},
        {role: 'assistant', content: [image('https://foreign.test/b.png')]},
        {role: 'user', content: 'Which is better?'},
      ],
    })
    const note = {type: 'text', text: 'Files of the answer before:'}
    expect(request?.body['messages']).toEqual([
      {role: 'user', content: 'Draw one'},
      {role: 'assistant', content: 'Here it is.'},
      {
        role: 'user',
        content: [
          note,
          {type: 'image_url', image_url: {url: `data:image/png;base64,${btoa('png')}`}},
          {type: 'text', text: 'Another one'},
          note,
          {type: 'image_url', image_url: {url: 'https://foreign.test/b.png'}},
          {type: 'text', text: 'Which is better?'},
        ],
      },
    ])
  })

  test('texts, notes and addresses of an answer’s files are no words of the model; those of the last answer are left out', async () => {
    const files = (...urls: string[]) => urls.map((url) => ({type: 'file_url' as const, file_url: url}))
    const {failure, request} = await sentFor({
      storedFile: (url) => Promise.resolve(own[url]),
      messages: [
        {
          role: 'assistant',
          content: [
            {type: 'text', text: 'Here they are.'},
            ...files('https://own.test/b.txt', 'https://own.test/long.txt', 'https://foreign.test/y.zip'),
          ],
        },
        {role: 'user', content: 'Thanks'},
        {role: 'assistant', content: [{type: 'text', text: 'One more.'}, ...files('https://own.test/huge.png')]},
      ],
    })
    expect(failure).toBeUndefined()
    expect(request?.body['messages']).toEqual([
      {role: 'assistant', content: 'Here they are.'},
      {
        role: 'user',
        content: [
          'Files of the answer before:',
          'Attached file b.txt:\n\nplain text',
          'Attached file long.txt: too long to be read.',
          'Attached file: https://foreign.test/y.zip',
          'Thanks',
        ].join('\n\n'),
      },
      {role: 'assistant', content: 'One more.'},
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
    expect(failure).toEqual(new ProviderFailure('bad_request', 'max_tokens is too large: 100', {status: 400}))
    expect(sent).toHaveLength(2)
  })
})

describe('deadlines', () => {
  const silentServer = () => {
    const clock = manualTimers()
    let writer: ReadableStreamDefaultController<Uint8Array> | undefined
    const send = sendBy(
      () => new Response(new ReadableStream<Uint8Array>({start: (controller) => void (writer = controller)})),
    )
    const provider = createOpenaiProvider(configOf(), {
      log: silentLog,
      ports: {send, timers: clock.timers},
      deadlines: {firstByteMilliseconds: 1_000, idleMilliseconds: 2_000},
    })
    return {clock, provider, write: (text: string) => writer?.enqueue(new TextEncoder().encode(text))}
  }

  test('silence in mid-answer ends it as contact lost; each byte, also of a comment, begins the wait anew', async () => {
    const {clock, provider, write} = silentServer()
    const events = createArrivals<ChatEvent>()
    const run = provider.chat(inputOf(), (event) => {
      events.arrive(event)
      return true
    })
    await eventually(() => expect(clock.waiting()).toContain(2_000))
    write(lines({choices: [{delta: {content: 'a'}}]}))
    expect(await events.next()).toEqual({type: 'delta', text: 'a'})
    write(': keep-alive\n\n')
    await new Promise((resolve) => setImmediate(resolve))
    expect(clock.waiting()).toEqual([2_000])
    clock.fire(2_000)
    await expect(run).rejects.toMatchObject({
      code: 'timeout',
      detail: 'foo was silent for 2 s.',
      options: {interrupted: true},
    })
    expect(clock.waiting()).toEqual([])
  })

  test('a server that never answers', async () => {
    const clock = manualTimers()
    const never: OutboundPorts['send'] = (_, {signal}) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
      )
    const provider = createOpenaiProvider(configOf(), {
      log: silentLog,
      ports: {send: never, timers: clock.timers},
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
