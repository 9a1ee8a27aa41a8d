import {afterEach, describe, expect, test, vi} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {collected} from '#browser/streams/collected-body.ts'
import {timersOf} from '#tests/timers-of.ts'
import {createBody, createFakeFetch, silence} from './fake-fetch.ts'
import {eventually} from '../eventually.ts'
import {question, rest, setUp, collect, stream} from './chat-fixture.ts'

afterEach(() => {
  vi.useRealTimers()
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
    expect(run.events.at(-1)).toEqual({type: 'answer.received', text: 'a', message: 'k-1', attempt: 1, seq: 1, from: 1})
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

  test('what was read together is one delta where they are joined', async () => {
    const body = 'data: {"id":"c-1","delta_answer":"a"}\n\ndata: {"id":"c-1","delta_answer":"b"}\n\ndata: [DONE]\n\n'
    const run = collect(setUp(createFakeFetch(stream(body)), {joinsDeltas: true}).chat.answer$(question))
    await run.ended
    expect(run.events.filter(({type}) => type === 'answer.received')).toEqual([
      {from: 1, seq: 2, text: 'ab', type: 'answer.received', conversation: 'c-1', message: 'k-1', attempt: 1},
    ])
  })
})

describe('the rhythm of reading', () => {
  /** A stream whose rests the test ends. */
  const open = () => {
    const rests: (() => void)[] = []
    const rest = () => new Promise<void>((resolve) => rests.push(resolve))
    const body = createBody()
    const answer = () => new Response(body.response.body && collected(body.response.body, rest), body.response)
    return {rests, body, run: collect(setUp(createFakeFetch(answer), {joinsDeltas: true}).chat.answer$(question))}
  }
  const delta = (text: string) => `data: {"id":"c-1","delta_answer":"${text}"}\n\n`
  const textOf = ({events}: ReturnType<typeof collect>) =>
    events.map((event) => (event.type === 'answer.received' ? event.text : '')).join('')

  test('words are read when the rest is over, all of them, and the end is not missed', async () => {
    const {rests, body, run} = open()
    body.write(delta('a'))
    await eventually(() => expect(textOf(run)).toBe('a'))
    expect(rests).toHaveLength(1)
    for (const text of 'bcdefgh') body.write(delta(text))
    body.write('data: [DONE]\n\n')
    body.close()
    expect(textOf(run)).toBe('a')
    // they arrive within the rest
    await new Promise((resolve) => setTimeout(resolve))
    rests[0]?.()
    await run.ended
    expect(textOf(run)).toBe('abcdefgh')
    // what waits in a queue is read in one go, and each read is followed by a rest
    expect(rests).toHaveLength(2)
    expect(run.end()).toBe('completed')
  })

  test('a connection that breaks in a rest is told after it, with all that came', async () => {
    const {rests, body, run} = open()
    body.write(delta('a'))
    await eventually(() => expect(rests).toHaveLength(1))
    body.break(new TypeError('network error'))
    rests[0]?.()
    await run.ended
    expect(textOf(run)).toBe('a')
    expect(run.end()).toHaveProperty('error.lost', true)
  })

  test('a reader who leaves in a rest hears nothing more', async () => {
    const {rests, body, run} = open()
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
  test('pings are told at most every four seconds', async () => {
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
    await ping(3_999)
    expect(pings()).toHaveLength(0)
    await ping(4_000)
    await eventually(() => expect(pings()).toHaveLength(1))
    await ping(7_999)
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
    expect(run.end()).toEqual({
      error: new ApiError({code: 'timeout', detail: 'No answer within 15 s.', lost: true}),
    })
  })

  test('a request that found no server leaves no deadline behind', async () => {
    vi.useFakeTimers()
    const ownTimers = timersOf('src/api/answer-stream.ts')
    const run = collect(setUp(createFakeFetch(new TypeError('fetch failed'))).chat.answer$(question))
    await vi.advanceTimersByTimeAsync(0)
    expect(run.end()).toHaveProperty('error.lost', true)
    expect(ownTimers()).toBe(0)
  })

  test('a long answer has no such deadline', async () => {
    vi.useFakeTimers()
    const ownTimers = timersOf('src/api/answer-stream.ts')
    const body = createBody()
    const run = collect(setUp(createFakeFetch(() => body.response)).chat.answer$(question))
    await vi.advanceTimersByTimeAsync(600_000)
    expect(run.end()).toBe('running')
    expect(ownTimers()).toBe(0)
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
