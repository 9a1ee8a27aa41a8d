import {describe, expect, test, vi} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {createGenerationApi, type GenerationCall} from '#api/generation.ts'
import {createBody, createFakeFetch, json} from './fake-fetch.ts'

const call: GenerationCall = {
  service: 'flux',
  path: '/flux/images',
  body: {prompt: 'foo'},
  key: 'k-1',
  capabilities: ['idempotency', 'async', 'delete'],
  isStreamed: true,
}

const setUp = (fake: ReturnType<typeof createFakeFetch>, callbackBase?: string) => {
  const log = vi.fn()
  const generation = createGenerationApi({
    fetchFor: () => fake.fetch,
    baseUrl: 'https://api.test',
    log,
    headers: () => ({'accept-language': 'de'}),
    callbackBase,
  })
  return {generation, log}
}

const named = () => json({task_id: 't-1', trace_id: 'tr-1'})

describe('generation', () => {
  test('our own server is told to answer at once, and knows the key again', async () => {
    const fake = createFakeFetch(named())
    const answer = await setUp(fake).generation.submit(call)
    expect(answer.task).toBe('t-1')
    expect(fake.seen[0]).toEqual({
      url: 'https://api.test/flux/images',
      method: 'POST',
      headers: {
        'accept-language': 'de',
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
        'idempotency-key': 'k-1',
      },
      body: {prompt: 'foo', async: true},
      signal: expect.any(AbortSignal),
      keepalive: false,
    })
  })

  test('a foreign one gets no key, and a callback only where one is configured', async () => {
    const foreign = {...call, service: 'nano-banana', path: '/nano-banana/images', capabilities: []}
    const plain = createFakeFetch(named())
    const {generation} = setUp(plain)
    await generation.submit(foreign)
    expect([plain.seen[0]?.body, plain.seen[0]?.headers['idempotency-key']]).toEqual([{prompt: 'foo'}, undefined])
    expect(generation.isHeld([])).toBe(true)

    const called = createFakeFetch(named())
    const withCallback = setUp(called, 'https://hook.test').generation
    await withCallback.submit(foreign)
    expect(called.seen[0]?.body).toEqual({prompt: 'foo', callback_url: 'https://hook.test/nanobanana'})
    expect(withCallback.isHeld([])).toBe(false)
  })

  test('suno speaks plain JSON', async () => {
    const fake = createFakeFetch(named())
    await setUp(fake).generation.submit({...call, isStreamed: false})
    expect(fake.seen[0]?.headers.accept).toBeUndefined()
  })

  test('the first line of a stream that names the task is the answer; the rest is read to its end', async () => {
    const body = createBody('application/x-ndjson')
    const {generation} = setUp(createFakeFetch(() => body.response))
    const answer = generation.submit({...call, capabilities: []})
    body.write('{"progress":0}\nnot json\n')
    body.write('{"task_id":"t-1","progress":40}\n')
    await expect(answer).resolves.toEqual({task: 't-1', response: {progress: 40, task_id: 't-1'}})
    expect(body.cancelled).not.toHaveBeenCalled()
    body.write('{"task_id":"t-1","success":true}\n')
    body.close()
  })

  test('a stream that ends without a line is a lost answer, not a refusal', async () => {
    const body = createBody('application/x-ndjson')
    const {generation} = setUp(createFakeFetch(() => body.response))
    const answer = generation.submit({...call, capabilities: []})
    body.close()
    await expect(answer).rejects.toHaveProperty('lost', true)
  })

  test('a stream that says why there is no task is a refusal with that code, and is read to its end', async () => {
    const body = createBody('application/x-ndjson')
    const {generation} = setUp(createFakeFetch(() => body.response))
    const answer = generation.submit({...call, capabilities: []})
    body.write('{"progress":0}\n{"error":{"code":"used_up","message":"No credits"},"trace_id":"tr"}\n')
    await expect(answer).rejects.toEqual(new ApiError({code: 'used_up', detail: 'No credits', traceId: 'tr'}))
    await expect(answer).rejects.not.toHaveProperty('lost', true)
    expect(body.cancelled).not.toHaveBeenCalled()
    body.close()
  })

  test.each([
    ['application/x-ndjson', '{\n  "task_id": "t-1",\n  "progress": 0\n}'],
    ['application/json', '{"progress":0}\n{"task_id":"t-1"}\n'],
    ['text/plain', '{"task_id":"t-1"}'],
  ])('an answer of type %s is read by its content', async (type, text) => {
    const fake = createFakeFetch(new Response(text, {headers: {'content-type': type}}))
    await expect(setUp(fake).generation.submit(call)).resolves.toHaveProperty('task', 't-1')
  })

  test.each([
    [
      'used up',
      json({error: {code: 'used_up', message: 'No credits'}, trace_id: 'tr'}, 403),
      {code: 'used_up', detail: 'No credits', traceId: 'tr', status: 403},
    ],
    [
      'a refused credential',
      json({error: {code: 'invalid_token', message: 'no'}}, 401),
      {code: 'invalid_token', detail: 'no', status: 401},
    ],
    ['an error page', new Response('<html>', {status: 502}), {code: 'busy', detail: 'An error occurred', status: 502}],
    ['no connection', new TypeError('fetch failed'), {code: 'unknown', detail: 'fetch failed', lost: true}],
    [
      'an answer that is no JSON',
      new Response('ok', {status: 200}),
      {code: 'unknown', detail: 'The answer was cut off.', lost: true},
    ],
  ])('%s', async (_, response, expected) => {
    const fake = createFakeFetch(response)
    await expect(setUp(fake).generation.submit(call)).rejects.toEqual(new ApiError(expected))
    expect(fake.seen).toHaveLength(1)
  })

  test('a held call goes on when its caller leaves; one that is answered at once ends with it', async () => {
    const leaving = new AbortController()
    leaving.abort()
    const held = createFakeFetch(named())
    await setUp(held).generation.submit({...call, capabilities: []}, leaving.signal)
    expect(held.seen).toHaveLength(1)
    const hasty = createFakeFetch(named())
    await expect(setUp(hasty).generation.submit(call, leaving.signal)).rejects.toHaveProperty('code', 'canceled')
  })
})
