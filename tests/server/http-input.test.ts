import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest'
import {route} from '#server/http/route.ts'
import {timersOf} from '#tests/timers-of.ts'
import {createTestServer, testOrigin, type TestServer} from './harness.ts'
import {eventually} from '../eventually.ts'
import {json, routes} from './router-fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({routes: () => routes, servePage: async () => new Response('<!doctype html>page')})
})
afterAll(() => server.close())

const platform = '/services/platform/api/v1'
const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  server.call('POST', path, {body, headers})

describe('input (R31, R34)', () => {
  test.each([
    [{text: 'foo', extra: 1}, 'extra', 'The body has an unknown key: extra.'],
    [{}, 'text', 'text is missing.'],
    [{text: 7}, 'text', 'text must be a string.'],
    [{text: ''}, 'text', 'text must not be empty.'],
    [{text: 'longer'}, 'text', 'text must be at most 5 characters long.'],
    [{text: 'foo', tags: ['a', 2]}, 'tags.1', 'tags.1 must be a string.'],
    [{text: 'f\0o'}, 'text', 'text holds a NUL character or half of a surrogate pair.'],
    [[], undefined, 'The body must be an object.'],
  ])('the body %o is refused with its field and the reason', async (body, field, detail) => {
    const response = await post(`${platform}/notes`, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({code: 'bad_request', detail, ...(field === undefined ? {} : {field})})
  })

  test.each([
    ['{"text":"\\ud800"}', /surrogate/, 'text'],
    ['{"text":', /not valid JSON/],
    ['', /not valid JSON/],
    [`{"text":${'['.repeat(65)}${']'.repeat(65)}}`, /nested deeper than 64/],
  ])('the text %s is refused', async (body, detail, field?: string) => {
    const response = await post(`${platform}/notes`, body, {'content-type': 'application/json'})
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({code: 'bad_request', detail: expect.stringMatching(detail), field})
  })

  test('bytes that are no UTF-8', async () => {
    const response = await post(`${platform}/notes`, new Uint8Array([0x22, 0xff, 0x22]), {
      'content-type': 'application/json',
    })
    expect(await response.json()).toEqual({code: 'bad_request', detail: 'The body is not valid UTF-8.'})
  })

  test('the branch of a union that was meant names its field', async () => {
    const response = await post('/services/api/open', {action: 'stop'})
    expect(await response.json()).toEqual({
      error: {code: 'bad_request', message: 'id is missing.', field: 'id'},
      success: false,
      trace_id: expect.any(String),
    })
  })

  test('a body over 1 MiB is refused, stated or not', async () => {
    const body = `{"text":"${'x'.repeat(1_048_577)}"}`
    expect((await post(`${platform}/notes`, body, {'content-type': 'application/json'})).status).toBe(413)
    const stated = await post(`${platform}/notes`, '{}', {
      'content-type': 'application/json',
      'content-length': '2000000',
    })
    expect(stated.status).toBe(413)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    '%s is not JSON',
    async (type) => {
      expect((await post(`${platform}/notes`, '{"text":"foo"}', {'content-type': type})).status).toBe(415)
      expect((await post(`${platform}/bare`, '{}', {'content-type': type})).status).toBe(415)
    },
  )

  test.each([
    ['application/json; charset=utf-8', 200],
    ['application/json;charset="UTF-8"', 200],
    ['application/json; charset=utf8', 200],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=iso-8859-1', 415],
    ['application/json; profile=x; charset=latin1', 415],
  ])('a body of the type %s is answered with %i', async (type, status) => {
    expect((await post(`${platform}/notes`, '{"text":"foo"}', {'content-type': type})).status).toBe(status)
  })

  test('a body that does not come within 30 s is given up', async () => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
    const ownTimers = timersOf('src/server/http/parse.ts')
    const body = new ReadableStream({start: (controller) => controller.enqueue(new TextEncoder().encode('{"text":'))})
    const headers = {'content-type': 'application/json'}
    const pending = server.handle(
      new Request(`${testOrigin}${platform}/notes`, {method: 'POST', headers, body, ...{duplex: 'half'}}),
    )
    await eventually(() => expect(ownTimers()).toBeGreaterThan(0))
    vi.advanceTimersByTime(30_000)
    expect((await pending).status).toBe(408)
    vi.useRealTimers()
  })

  test('an upload is refused before its bytes when the disk is low', async () => {
    const upload = route({
      service: 'platform',
      method: 'POST',
      path: '/upload',
      policy: 'public',
      accepts: 'multipart',
      handle: () => json('taken'),
    })
    const full = await createTestServer({routes: () => [upload], deps: {isDiskLow: async () => true}})
    expect((await full.call('POST', '/services/platform/upload', {body: new FormData()})).status).toBe(507)
    await full.close()
  })

  test('a route without a body needs none', async () => {
    expect((await server.call('POST', `${platform}/bare`)).status).toBe(200)
  })

  test('queries are strict, repeated keys are arrays', async () => {
    const search = async (query: string) => (await server.call('GET', `${platform}/search?${query}`)).json()
    expect(await search('limit=7&id=a&id=b')).toEqual({limit: 7, id: ['a', 'b']})
    expect(await search('limit=101')).toEqual({
      code: 'bad_request',
      field: 'limit',
      detail: 'limit must be at most 100.',
    })
    expect(await search('limt=1')).toEqual({
      code: 'bad_request',
      field: 'limt',
      detail: 'The query has an unknown key: limt.',
    })
    expect(await search('id=%00')).toEqual({
      code: 'bad_request',
      field: 'id',
      detail: 'id holds a NUL character.',
    })
  })

  test('a NUL in the path is refused', async () => {
    expect((await server.call('GET', `${platform}/things/a%00b`)).status).toBe(400)
  })
})
