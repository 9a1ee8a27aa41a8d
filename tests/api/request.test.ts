import {afterEach, describe, expect, test, vi} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {createRequester, queryText, type ApiDeps} from '#api/request.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {z} from '#contract/schema.ts'
import {createFakeFetch, json, silence} from './fake-fetch.ts'

const answer = z.object({foo: z.string()})
const setUp = (fake: ReturnType<typeof createFakeFetch>, deps: Partial<ApiDeps> = {}) => {
  const slept: number[] = []
  const request = createRequester({
    fetch: fake.fetch,
    baseUrl: 'https://platform.test',
    headers: () => ({authorization: 'Bearer bar'}),
    log: () => undefined,
    random: () => 0.5,
    sleep: async (milliseconds) => {
      slept.push(milliseconds)
    },
    ...deps,
  })
  return {request, slept, get: (signal?: AbortSignal) => request({method: 'get', path: '/foo', answer, signal})}
}
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

afterEach(() => {
  vi.useRealTimers()
})

test('a query repeats the keys of arrays and drops what is undefined', () => {
  expect(queryText({id: ['a', 'b'], limit: 10, offset: 0, foo: undefined, bar: 'a&b=ç'})).toBe(
    'id=a&id=b&limit=10&offset=0&bar=a%26b%3D%C3%A7',
  )
})

test('sends JSON and gives back what the schema knows', async () => {
  const fake = createFakeFetch(json({foo: 'bar', unknown: 1}))
  const {request} = setUp(fake)
  const given = await request({
    method: 'post',
    path: '/foo',
    query: {id: ['a', 'b']},
    body: {bar: 1},
    headers: {'x-foo': 'y'},
    answer,
  })
  expect(given).toEqual({foo: 'bar'})
  expect(fake.seen[0]).toEqual({
    url: 'https://platform.test/foo?id=a&id=b',
    method: 'POST',
    body: {bar: 1},
    headers: {
      authorization: 'Bearer bar',
      'content-type': 'application/json',
      accept: 'application/json',
      'x-foo': 'y',
    },
    signal: expect.any(AbortSignal),
    keepalive: false,
  })
})

test('a page that goes hears that it goes before its last calls fail', async () => {
  const order: string[] = []
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  const {request} = setUp(createFakeFetch(), {fetch, sleep: undefined})
  const call = {method: 'delete', path: '/foo', answer} as const
  const note = (name: string) => () => order.push(name)
  const ending = [request({...call, keepsAlive: true}), request(call)]
  setTimeout(note('the page goes'), 0)
  await Promise.all([ending[0]?.catch(note('kept alive')), ending[1]?.catch(note('other'))])
  expect(order).toEqual(['other', 'the page goes', 'kept alive'])
})

test('an answer of another shape is a failure, not data', async () => {
  const error = await errorOf(setUp(createFakeFetch(json({foo: 5}))).get())
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toEqual(
    new ApiError({code: 'unknown', detail: 'The server sent an answer this app does not understand.', status: 200}),
  )
})

describe('failures', () => {
  test.each<[string, Response, Failure]>([
    [
      'management',
      json({code: 'duplication', detail: 'foo', field: 'type'}, 400),
      {code: 'duplication', detail: 'foo', field: 'type', status: 400},
    ],
    [
      'AI host',
      json({error: {code: 'used_up', message: 'foo'}, trace_id: 'bar'}, 403),
      {code: 'used_up', detail: 'foo', traceId: 'bar', status: 403},
    ],
    ['no words', json({}, 404), {code: 'api_error', detail: 'An error occurred', status: 404}],
    ['a page', new Response('<html>', {status: 403}), {code: 'unknown', detail: 'An error occurred', status: 403}],
  ])('%s', async (_, response, failure) => {
    const fake = createFakeFetch(response)
    expect(await errorOf(setUp(fake).get())).toEqual(new ApiError(failure))
    expect(fake.seen).toHaveLength(1)
  })

  test('no network is lost contact, whatever the browser calls it', async () => {
    const {request} = setUp(createFakeFetch(new Error('the cable was eaten')))
    expect(await errorOf(request({method: 'post', path: '/foo', answer}))).toEqual(
      new ApiError({code: 'unknown', detail: 'the cable was eaten', lost: true}),
    )
  })

  test('a caller that aborts gets `canceled`, at once', async () => {
    const fake = createFakeFetch(silence)
    const caller = new AbortController()
    const pending = errorOf(setUp(fake).get(caller.signal))
    caller.abort()
    expect(await pending).toMatchObject({code: 'canceled', lost: undefined})
    expect(fake.seen).toHaveLength(1)
  })

  test('no answer within 20 s is a timeout', async () => {
    vi.useFakeTimers()
    const fake = createFakeFetch(silence)
    const {request, slept} = setUp(fake)
    const clear = vi.spyOn(globalThis, 'clearTimeout')
    const pending = errorOf(request({method: 'post', path: '/foo', answer}))
    await vi.advanceTimersByTimeAsync(19_999)
    expect(fake.seen[0]?.signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await pending).toEqual(new ApiError({code: 'timeout', detail: 'No answer within 20 s.', lost: true}))
    // not a count of all timers: other files of the worker have theirs
    expect([fake.seen.length, slept, clear.mock.calls.length]).toEqual([1, [], 1])
  })
})

describe('retry', () => {
  test('a call whose answer the device keeps is not repeated without a network', async () => {
    const kept = {method: 'get', path: '/foo', answer, isKept: true} as const
    const lost = () => createFakeFetch(...Array.from({length: 5}, () => new TypeError('Failed to fetch')))
    const offline = setUp(lost(), {isOnline: () => false})
    expect(toFailure(await errorOf(offline.request(kept)))).toEqual({
      code: 'unknown',
      detail: 'Failed to fetch',
      lost: true,
    })
    expect(offline.slept).toEqual([])
    await errorOf(offline.get())
    const online = setUp(lost(), {isOnline: () => true})
    await errorOf(online.request(kept))
    expect([offline.slept.length, online.slept.length]).toEqual([4, 4])
  })

  test.each([[500], [502], [503], [504], [429]])('a read that gets %i is asked again', async (status) => {
    const fake = createFakeFetch(json({}, status), json({foo: 'bar'}))
    const {get, slept} = setUp(fake)
    expect(await get()).toEqual({foo: 'bar'})
    expect(slept).toEqual([250])
  })

  test('five times at most, with full jitter below a doubling ceiling', async () => {
    const fake = createFakeFetch(new TypeError('fetch failed'))
    const {get, slept} = setUp(fake)
    expect(await errorOf(get())).toHaveProperty('lost', true)
    expect(fake.seen).toHaveLength(5)
    expect(slept).toEqual([250, 500, 1000, 2000])
  })

  test('Retry-After is kept to, unless it is longer than the cap', async () => {
    const soon = setUp(createFakeFetch(json({}, 429, {'retry-after': '7'}), json({foo: 'bar'})))
    await soon.get()
    expect(soon.slept).toEqual([7000])
    const fake = createFakeFetch(json({}, 429, {'retry-after': '3600'}))
    expect(await errorOf(setUp(fake).get())).toEqual(
      new ApiError({code: 'too_many_requests', detail: 'An error occurred', status: 429, retryAfterSeconds: 300}),
    )
    expect(fake.seen).toHaveLength(1)
  })

  test.each([
    [429, '7', 7],
    [503, '3600', 300],
    [503, 'soon', undefined],
    [500, '7', undefined],
  ])('a %i that is not asked again says when to come back: %s', async (status, header, seconds) => {
    const {request} = setUp(createFakeFetch(json({}, status, {'retry-after': header})))
    const error = await errorOf(request({method: 'post', path: '/foo', answer}))
    expect(error).toHaveProperty('status', status)
    expect(toFailure(error).retryAfterSeconds).toBe(seconds)
  })

  test.each([400, 401, 403, 404, 409, 422])('%i is an answer', async (status) => {
    const fake = createFakeFetch(json({}, status))
    await errorOf(setUp(fake).get())
    expect(fake.seen).toHaveLength(1)
  })

  test('a write never', async () => {
    const fake = createFakeFetch(json({}, 503))
    await errorOf(setUp(fake).request({method: 'put', path: '/foo', body: {}, answer}))
    expect(fake.seen).toHaveLength(1)
  })

  test('a post that reads is asked again', async () => {
    const fake = createFakeFetch(json({}, 503), json({foo: 'bar'}))
    expect(await setUp(fake).request({method: 'post', path: '/foo', body: {}, answer, isRead: true})).toEqual({
      foo: 'bar',
    })
  })

  test('an abort ends the wait', async () => {
    const caller = new AbortController()
    const fake = createFakeFetch(json({}, 503))
    const {get} = setUp(fake, {
      sleep: async (_, signal) => {
        caller.abort()
        signal?.throwIfAborted()
      },
    })
    expect(await errorOf(get(caller.signal))).toHaveProperty('code', 'canceled')
    expect(fake.seen).toHaveLength(1)
  })
})
