import type {Observable} from 'rxjs'
import {afterEach, describe, expect, test, vi} from 'vitest'
import {createChatApi, type ChatApiDeps} from '#api/chat.ts'
import type {AnswerEvent, AnswerInput} from '#domain/answer.ts'
import {createBody, createFakeFetch, json, silence, turn, type Seen} from './fake-fetch.ts'
import {eventually} from '../eventually.ts'

const exchange = {
  question: ' What is tea? ',
  references: ['https://foo.test/a.png'],
  key: 'k-1',
  message: 'k-1',
  attempt: 1,
  lastSeq: 0,
}
const question: AnswerInput = {request: 'ask', model: 'gpt-4o-all', capabilities: [], exchange}
const rest: AnswerInput = {
  ...question,
  request: 'resume',
  conversation: 'c-1',
  exchange: {...exchange, message: 'm-1', attempt: 2, lastSeq: 7},
}

const setUp = (fake: ReturnType<typeof createFakeFetch>, deps: Partial<ChatApiDeps> = {}) => {
  const log = vi.fn()
  const chat = createChatApi({
    fetch: fake.fetch,
    baseUrl: 'https://api.test',
    headers: () => ({authorization: 'Bearer credential'}),
    log,
    now: () => 0,
    sleep: async () => undefined,
    ...deps,
  })
  return {chat, log}
}

const collect = (events$: Observable<AnswerEvent>) => {
  const events: AnswerEvent[] = []
  let end: 'running' | 'completed' | {error: unknown} = 'running'
  let resolve: () => void = () => undefined
  const ended = new Promise<void>((done) => {
    resolve = done
  })
  const subscription = events$.subscribe({
    next: (event) => events.push(event),
    error: (error: unknown) => {
      end = {error}
      resolve()
    },
    complete: () => {
      end = 'completed'
      resolve()
    },
  })
  return {events, ended, subscription, end: () => end}
}
const stream = (text: string, contentType = 'text/event-stream') =>
  new Response(text, {headers: {'content-type': contentType}})

afterEach(() => {
  vi.useRealTimers()
})

describe('the request', () => {
  test('a new conversation: exactly the specified body and headers', async () => {
    const fake = createFakeFetch(stream('data: [DONE]\n\n'))
    await collect(setUp(fake).chat.answer$(question)).ended
    expect(fake.seen[0]).toMatchObject({
      url: 'https://api.test/aichat/conversations',
      method: 'POST',
      body: {question: 'What is tea?', model: 'gpt-4o-all', references: ['https://foo.test/a.png'], stateful: true},
    })
    expect(fake.seen[0]?.body).not.toHaveProperty('id')
    expect(fake.seen[0]?.headers).toEqual({
      authorization: 'Bearer credential',
      'content-type': 'application/json',
      accept: 'text/event-stream',
    })
  })

  test('a known conversation is named', async () => {
    const fake = createFakeFetch(stream('data: [DONE]\n\n'))
    await collect(setUp(fake).chat.answer$({...question, conversation: 'c-1'})).ended
    expect(fake.seen[0]?.body).toMatchObject({id: 'c-1'})
  })

  test('an idempotency key only where it is offered', async () => {
    const fake = createFakeFetch(stream('data: [DONE]\n\n'))
    await collect(setUp(fake).chat.answer$({...question, capabilities: ['idempotency']})).ended
    expect(fake.seen[0]?.headers).toMatchObject({'idempotency-key': 'k-1'})
  })

  test('instructions go with the question that begins a conversation, where they are offered', async () => {
    const sent = async (more: object) => {
      const fake = createFakeFetch(stream('data: [DONE]\n\n'))
      await collect(setUp(fake).chat.answer$({...question, preset: 'Be brief.', ...more})).ended
      return fake.seen[0]?.body
    }
    expect(await sent({capabilities: ['preset']})).toMatchObject({preset: 'Be brief.'})
    expect(await sent({})).not.toHaveProperty('preset')
    expect(await sent({capabilities: ['preset'], conversation: 'c-1'})).not.toHaveProperty('preset')
  })

  test('resume names the message, the attempt and the last delta', async () => {
    const fake = createFakeFetch(stream('data: [DONE]\n\n'))
    await collect(setUp(fake).chat.answer$({...rest, capabilities: ['idempotency', 'resume']})).ended
    expect(fake.seen[0]?.body).toEqual({action: 'resume', id: 'c-1', message: 'm-1', attempt: 2, last_seq: 7})
    expect(fake.seen[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  test('is cold: nothing is asked before somebody subscribes, and each subscriber asks', async () => {
    const fake = createFakeFetch(stream('data: [DONE]\n\n'))
    const answer$ = setUp(fake).chat.answer$(question)
    expect(fake.seen).toHaveLength(0)
    await collect(answer$).ended
    await collect(answer$).ended
    expect(fake.seen).toHaveLength(2)
  })

  test('without a credential nothing is asked', async () => {
    const fake = createFakeFetch(stream(''))
    const {chat} = setUp(fake, {headers: () => ({})})
    const run = collect(chat.answer$(question))
    await run.ended
    expect(run.end()).toMatchObject({error: {code: 'not_applied'}})
    await expect(chat.retrieveBatch({userId: 'u-1'})).rejects.toMatchObject({code: 'not_applied', detail: 'no token'})
    expect(fake.seen).toHaveLength(0)
  })
})

describe('the answer', () => {
  const start = {type: 'answer.started', conversation: 'c-1', message: 'm-1', attempt: 2} as const
  const delta = (seq: number, text: string, name: object = {conversation: 'c-1', message: 'm-1', attempt: 2}) => ({
    type: 'answer.received',
    ...name,
    seq,
    from: seq,
    text,
  })

  test('of our server carries its names and numbers', async () => {
    const body =
      'id: 0\ndata: {"id":"c-1","message":"m-1","attempt":2,"provider":"sandbox","sandbox":true,"delta_answer":""}\n\n' +
      'id: 1\ndata: {"id":"c-1","delta_answer":"He"}\n\nid: 2\ndata: {"id":"c-1","delta_answer":"llo"}\n\ndata: [DONE]\n\n'
    const run = collect(setUp(createFakeFetch(stream(body))).chat.answer$(question))
    await run.ended
    expect(run.events).toEqual([
      {type: 'answer.connected'},
      {...start, provider: 'sandbox', sandbox: true},
      delta(1, 'He'),
      delta(2, 'llo'),
      {type: 'answer.completed'},
    ])
    expect(run.end()).toBe('completed')
  })

  test('of a foreign server is called what we call it', async () => {
    const ours = {conversation: 'c-9', message: 'k-1', attempt: 1}
    const run = collect(
      setUp(
        createFakeFetch(
          stream('data: {"id":"c-9","delta_answer":"a"}\ndata: {"id":"c-9","delta_answer":"b"}\ndata: [DONE]\n'),
        ),
      ).chat.answer$(question),
    )
    await run.ended
    expect(run.events).toEqual([
      {type: 'answer.connected'},
      {type: 'answer.started', ...ours},
      delta(1, 'a', ours),
      delta(2, 'b', ours),
      {type: 'answer.completed'},
    ])
  })

  test('that nobody names starts with its first word', async () => {
    const ours = {conversation: undefined, message: 'k-1', attempt: 1}
    const run = collect(setUp(createFakeFetch(stream('data: {"delta_answer":"a"}\n\n'))).chat.answer$(question))
    await run.ended
    expect(run.events).toEqual([{type: 'answer.connected'}, {type: 'answer.started', ...ours}, delta(1, 'a', ours)])
  })

  test('goes on behind the last delta when resumed', async () => {
    const run = collect(
      setUp(createFakeFetch(stream('id: 8\ndata: {"delta_answer":"a"}\n\ndata: [DONE]\n\n'))).chat.answer$(rest),
    )
    await run.ended
    expect(run.events).toEqual([
      {type: 'answer.connected'},
      delta(8, 'a', {conversation: undefined, message: 'm-1', attempt: 2}),
      {type: 'answer.completed'},
    ])
  })

  test('that ends without [DONE] completes the stream and not the answer', async () => {
    const run = collect(
      setUp(createFakeFetch(stream('data: {"id":"c-1","delta_answer":"a"}\n\n'))).chat.answer$(question),
    )
    await run.ended
    expect(run.end()).toBe('completed')
    expect(run.events.map(({type}) => type)).toEqual(['answer.connected', 'answer.started', 'answer.received'])
  })

  test('that fails in the stream says how, and the stream is over', async () => {
    const frame = 'data: {"id":"c-1","error":{"code":"canceled","message":"foo"},"outcome":"stopped"}\n\n'
    const run = collect(setUp(createFakeFetch(stream(frame))).chat.answer$(question))
    await run.ended
    expect(run.events.at(-1)).toEqual({
      type: 'answer.failed',
      failure: {code: 'canceled', detail: 'foo'},
      outcome: 'stopped',
    })
    expect(run.end()).toBe('completed')
  })

  test('a bad line is logged and skipped', async () => {
    const {chat, log} = setUp(createFakeFetch(stream('data: {x\n\ndata: {"delta_answer":"a"}\n\n')))
    const run = collect(chat.answer$(question))
    await run.ended
    expect(run.events.at(-1)).toMatchObject({type: 'answer.received', text: 'a'})
    expect(log).toHaveBeenCalledOnce()
  })

  test('arrives while the server still writes', async () => {
    const body = createBody()
    const run = collect(setUp(createFakeFetch(() => body.response)).chat.answer$(question))
    body.write('data: {"id":"c-1","delta_answer":"a"}\n')
    await eventually(() => expect(run.events).toHaveLength(3))
    expect(run.end()).toBe('running')
    body.write('data: [DONE]\n\n')
    await run.ended
    await eventually(() => expect(body.cancelled).toHaveBeenCalled())
  })

  test('what arrived together is one delta where reads are paced', async () => {
    const body = 'data: {"id":"c-1","delta_answer":"a"}\n\ndata: {"id":"c-1","delta_answer":"b"}\n\ndata: [DONE]\n\n'
    const run = collect(
      setUp(createFakeFetch(stream(body)), {pace: {rest: () => Promise.resolve(), turn}}).chat.answer$(question),
    )
    await run.ended
    expect(run.events.filter(({type}) => type === 'answer.received')).toMatchObject([{from: 1, seq: 2, text: 'ab'}])
  })
})

describe('the rhythm of reading', () => {
  /** Rests that the test ends. */
  const createRhythm = () => {
    const rests: (() => void)[] = []
    return {rests, pace: {rest: () => new Promise<void>((resolve) => rests.push(resolve)), turn}}
  }
  const delta = (text: string) => `data: {"id":"c-1","delta_answer":"${text}"}\n\n`
  const textOf = ({events}: ReturnType<typeof collect>) =>
    events.map((event) => (event.type === 'answer.received' ? event.text : '')).join('')

  test('words are read when the rest is over, all of them, and the end is not missed', async () => {
    const {rests, pace} = createRhythm()
    const body = createBody()
    const run = collect(
      setUp(
        createFakeFetch(() => body.response),
        {pace},
      ).chat.answer$(question),
    )
    body.write(delta('a'))
    await eventually(() => expect(textOf(run)).toBe('a'))
    expect(rests).toHaveLength(1)
    for (const text of 'bcdefgh') body.write(delta(text))
    body.write('data: [DONE]\n\n')
    body.close()
    expect(textOf(run)).toBe('a')
    rests[0]?.()
    await run.ended
    expect(textOf(run)).toBe('abcdefgh')
    // what waits in a queue is read in one go
    expect(rests).toHaveLength(1)
    expect(run.end()).toBe('completed')
  })

  test('a connection that breaks in a rest is told after it, with all that came', async () => {
    const {rests, pace} = createRhythm()
    const body = createBody()
    const run = collect(
      setUp(
        createFakeFetch(() => body.response),
        {pace},
      ).chat.answer$(question),
    )
    body.write(delta('a'))
    await eventually(() => expect(rests).toHaveLength(1))
    body.break(new TypeError('network error'))
    rests[0]?.()
    await run.ended
    expect(textOf(run)).toBe('a')
    expect(run.end()).toMatchObject({error: {lost: true}})
  })

  test('who leaves in a rest hears nothing more', async () => {
    const {rests, pace} = createRhythm()
    const body = createBody()
    const run = collect(
      setUp(
        createFakeFetch(() => body.response),
        {pace},
      ).chat.answer$(question),
    )
    body.write(delta('a'))
    await eventually(() => expect(textOf(run)).toBe('a'))
    run.subscription.unsubscribe()
    await eventually(() => expect(body.cancelled).toHaveBeenCalled())
    rests[0]?.()
    expect(textOf(run)).toBe('a')
    expect(run.end()).toBe('running')
  })
})

describe('contact', () => {
  test('pings are told at most every five seconds', async () => {
    let time = 0
    const now = vi.fn(() => time)
    const body = createBody()
    const run = collect(
      setUp(
        createFakeFetch(() => body.response),
        {now},
      ).chat.answer$(question),
    )
    await eventually(() => expect(run.events).toHaveLength(1))
    const ping = async (at: number) => {
      time = at
      const asked = now.mock.calls.length
      body.write(': ping\n\n')
      // the reader looks at the clock at each ping
      await eventually(() => expect(now.mock.calls.length).toBeGreaterThan(asked))
    }
    const pings = () => run.events.filter(({type}) => type === 'answer.pinged')
    await ping(4_999)
    expect(pings()).toHaveLength(0)
    await ping(5_000)
    await eventually(() => expect(pings()).toHaveLength(1))
    await ping(9_999)
    expect(pings()).toHaveLength(1)
    run.subscription.unsubscribe()
  })

  test('unsubscribing aborts the request and reports nothing more', async () => {
    const fake = createFakeFetch(silence)
    const run = collect(setUp(fake).chat.answer$(question))
    await eventually(() => expect(fake.seen[0]?.signal?.aborted).toBe(false))
    run.subscription.unsubscribe()
    expect(fake.seen[0]?.signal?.aborted).toBe(true)
    await Promise.resolve()
    expect(run.end()).toBe('running')
  })

  test('no headers within 15 s is lost contact', async () => {
    vi.useFakeTimers()
    const run = collect(setUp(createFakeFetch(silence)).chat.answer$(question))
    await vi.advanceTimersByTimeAsync(14_999)
    expect(run.end()).toBe('running')
    await vi.advanceTimersByTimeAsync(1)
    expect(run.end()).toMatchObject({error: {code: 'timeout', lost: true}})
  })

  test('a long answer has no such deadline', async () => {
    vi.useFakeTimers()
    const body = createBody()
    const run = collect(setUp(createFakeFetch(() => body.response)).chat.answer$(question))
    await vi.advanceTimersByTimeAsync(600_000)
    expect(run.end()).toBe('running')
    expect(vi.getTimerCount()).toBe(0)
    run.subscription.unsubscribe()
  })

  test.each([
    ['before the headers', () => createFakeFetch(new TypeError('fetch failed'))],
    [
      'in mid-answer',
      () => {
        const body = createBody()
        body.write('data: {"delta_answer":"a"}\n\n')
        body.break(new TypeError('terminated'))
        return createFakeFetch(() => body.response)
      },
    ],
  ])('a connection that breaks %s is lost, not refused', async (_, createFake) => {
    const run = collect(setUp(createFake()).chat.answer$(question))
    await run.ended
    expect(run.end()).toMatchObject({error: {lost: true, status: undefined}})
  })
})

describe('refusals', () => {
  test.each<[string, Response, object]>([
    [
      'the body says it',
      json({error: {code: 'used_up', message: 'foo'}, trace_id: 't'}, 403),
      {code: 'used_up', detail: 'foo', status: 403, traceId: 't'},
    ],
    ['the body says nothing', json({}, 400), {code: 'bad_request', detail: 'An error occurred', status: 400}],
    ['the older form', json({code: 'busy', detail: 'foo'}, 500), {code: 'busy', detail: 'foo', status: 500}],
    ['401', json({error: {code: 'invalid_token'}}, 401), {code: 'invalid_token', status: 401}],
    ['too many', json({error: {}}, 429), {code: 'too_many_requests', status: 429}],
    ['a page', new Response('<html>', {status: 404}), {code: 'unknown', detail: 'An error occurred', status: 404}],
    ['a gateway page', new Response('<html>', {status: 504}), {code: 'timeout', status: 504}],
    ['no body to read', new Response(null), {code: 'api_error', detail: 'ReadableStream not supported.', status: 500}],
  ])('%s', async (_, response, failure) => {
    const run = collect(setUp(createFakeFetch(response)).chat.answer$(question))
    await run.ended
    expect(run.end()).toMatchObject({error: failure})
    expect(run.events).toEqual([])
  })

  test('a web page with status 200', async () => {
    const run = collect(setUp(createFakeFetch(stream('<!doctype html>', 'text/html'))).chat.answer$(question))
    await run.ended
    expect(run.events.at(-1)).toMatchObject({
      type: 'answer.failed',
      failure: {code: 'unknown', status: 200},
      outcome: 'refused',
    })
  })
})

describe('commands', () => {
  const read = {
    authorization: 'Bearer credential',
    'content-type': 'application/json',
    accept: 'application/json',
    'x-record-exempt': 'true',
  }

  test('retrieve_batch sends only the person, and fills what a foreign list lacks', async () => {
    const fake = createFakeFetch(json({count: 1, items: [{id: 'c-1', updated_at: 5, unknown: 1}]}))
    expect(await setUp(fake).chat.retrieveBatch({userId: 'u-1'})).toEqual({
      count: 1,
      items: [{id: 'c-1', updated_at: 5, messages: []}],
    })
    expect(fake.seen[0]).toMatchObject({headers: read, body: {action: 'retrieve_batch', user_id: 'u-1'}})
    expect(Object.keys(fake.seen[0]?.body as object)).toEqual(['action', 'user_id'])
  })

  describe('all conversations', () => {
    const stored = Array.from({length: 250}, (_, index) => ({id: `c-${index}`}))
    const pageOf = ({body}: Seen) => {
      const {limit = 100, offset = 0} = body as {limit?: number; offset?: number} // what retrieveBatch sends
      return json({count: stored.length, items: stored.slice(offset, offset + limit)})
    }
    const read = async (...answers: Parameters<typeof createFakeFetch>) => {
      const fake = createFakeFetch(...answers)
      const {chat} = setUp(fake)
      const ids: string[] = []
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const page: Awaited<ReturnType<typeof chat.retrievePage>> = await chat.retrievePage({userId: 'u-1', offset})
        ids.push(...page.items.map(({id}) => id))
        offset = page.next
      }
      return {ids, asked: fake.seen.map(({body}) => body)}
    }
    const batch = {action: 'retrieve_batch', user_id: 'u-1'}
    const first = stored.slice(0, 100)

    test('more than a page are read in pages; the first question names none', async () => {
      expect(await read(pageOf)).toEqual({
        ids: stored.map(({id}) => id),
        asked: [batch, {...batch, limit: 100, offset: 100}, {...batch, limit: 100, offset: 200}],
      })
    })

    test('a list that is complete is asked for once', async () => {
      expect(await read(json({count: 100, items: first}))).toEqual({ids: first.map(({id}) => id), asked: [batch]})
    })

    test('a server that refuses the question is believed', async () => {
      const {ids, asked} = await read(json({count: 250, items: first}), json({code: 'bad_request', detail: 'foo'}, 400))
      expect([ids.length, asked.length]).toEqual([100, 2])
    })

    test('a first question that is refused has failed', async () => {
      await expect(read(json({code: 'bad_request', detail: 'foo'}, 400))).rejects.toMatchObject({status: 400})
    })

    test('a page that fails fails the whole', async () => {
      const answers = [json({count: 250, items: first}), json({code: 'forbidden', detail: 'foo'}, 403)]
      await expect(read(...answers)).rejects.toMatchObject({status: 403})
    })
  })

  test('retrieve reads both forms of an attachment', async () => {
    const content = [
      {type: 'text', text: 'foo'},
      {type: 'image_url', image_url: {url: 'a'}},
      {type: 'image_url', image_url: 'b'},
    ]
    const fake = createFakeFetch(json({id: 'c-1', messages: [{role: 'user', content}]}))
    expect(await setUp(fake).chat.retrieve({conversation: 'c-1'})).toEqual({
      id: 'c-1',
      messages: [{role: 'user', content}],
    })
    expect(fake.seen[0]).toMatchObject({headers: read, body: {action: 'retrieve', id: 'c-1'}})
  })

  test('update sends what changes, and nothing that only this client knows', async () => {
    const fake = createFakeFetch(json({}))
    const {chat} = setUp(fake)
    await chat.changeConversations([{key: 'c-1', title: 'foo'}])
    const message = {role: 'assistant' as const, content: 'bar', id: 'm-1', state: 'answering' as const, seq: 5}
    await chat.cutHistory({id: 'c-1', messages: [message], capabilities: ['resume']})
    expect(fake.seen.map(({body}) => body)).toEqual([
      {action: 'update', id: 'c-1', title: 'foo'},
      {action: 'update', id: 'c-1', messages: [{role: 'assistant', content: 'bar', id: 'm-1', state: 'answering'}]},
    ])
  })

  test('update of a back end that offers nothing of ours sends what the contract has of a message', async () => {
    const fake = createFakeFetch(json({}))
    const error = {code: 'unknown', message: 'foo'}
    await setUp(fake).chat.cutHistory({
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo', id: 'm-1'},
        {role: 'assistant', content: 'bar', id: 'm-2', attempt: 1, model: 'm', provider: 'p', sandbox: true},
        {role: 'assistant', content: 'baz', state: 'failed', outcome: 'refused', error},
      ],
    })
    expect(fake.seen[0]?.body).toEqual({
      action: 'update',
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'bar'},
        {role: 'assistant', content: 'baz', state: 'failed', error},
      ],
    })
  })

  test('delete and stop', async () => {
    const fake = createFakeFetch(json({}), json({id: 'c-1', message: 'm-1', state: 'failed'}))
    const {chat} = setUp(fake)
    await chat.remove(['c-1'])
    expect(await chat.stop({conversation: 'c-1', message: 'm-1'})).toEqual({id: 'c-1', message: 'm-1', state: 'failed'})
    expect(fake.seen.map(({body, keepalive}) => [body, keepalive])).toEqual([
      [{action: 'delete', id: 'c-1'}, true],
      [{action: 'stop', id: 'c-1', message: 'm-1'}, false],
    ])
  })

  test('reads are asked again, writes are not', async () => {
    const reads = createFakeFetch(json({}, 503), json({count: 0, items: []}))
    await setUp(reads).chat.retrieveBatch({})
    expect(reads.seen).toHaveLength(2)
    const writes = createFakeFetch(json({}, 503))
    await expect(setUp(writes).chat.remove(['c-1'])).rejects.toMatchObject({status: 503})
    expect(writes.seen).toHaveLength(1)
  })
})
