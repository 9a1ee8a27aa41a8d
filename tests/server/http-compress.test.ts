import {brotliDecompressSync, gunzipSync} from 'node:zlib'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {route, type Route} from '#server/http/route.ts'
import {createTestServer, type TestServer} from './harness.ts'

const long = JSON.stringify({foo: 'bar'.repeat(1_000)})
const text = (body: string, headers: Record<string, string> = {}) =>
  new Response(body, {headers: {'content-type': 'application/json', ...headers}})
const answers: Record<string, () => Response> = {
  long: () => text(long),
  short: () => text('{"foo":"bar"}'),
  part: () => text(long, {'accept-ranges': 'bytes'}),
  stream: () => text(long, {'content-type': 'text/event-stream'}),
  created: () => new Response(long, {status: 201, headers: {'content-type': 'application/json'}}),
}
const routes: Route[] = [
  ...Object.entries(answers).map(([name, handle]) =>
    route({service: 'platform', method: 'GET', path: `/${name}`, policy: 'public', handle}),
  ),
  route({service: 'auth', method: 'GET', path: '/token', policy: 'public', handle: () => text(long)}),
]

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({routes: () => routes})
})
afterAll(() => server.close())

const get = (path: string, accepted = 'gzip, deflate, br') =>
  server.call('GET', `/services/${path}`, {headers: {'accept-encoding': accepted}})

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
] as const)('for Accept-Encoding "%s" a long answer goes out as %s', async (accepted, encoding, decompress) => {
  const response = await get('platform/long', accepted)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-encoding': encoding,
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-site',
    'referrer-policy': 'no-referrer',
    vary: 'Origin',
    'x-content-type-options': 'nosniff',
    'x-trace-id': expect.any(String),
  })
  expect(bytes.length).toBeLessThan(long.length / 10)
  expect(decompress(bytes).toString()).toBe(long)
})

test('the status stays', async () => {
  const response = await get('platform/created')
  expect([response.status, response.headers.get('content-encoding')]).toEqual([201, 'br'])
})

test.each(['platform/short', 'platform/part', 'platform/stream', 'auth/token'])(
  '%s goes out as it is',
  async (path) => {
    const response = await get(path)
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
    expect(await response.text()).toContain('bar')
  },
)

test.each(['', 'identity', 'br;q=0, gzip;q=0.0'])(
  'everything goes out as it is for Accept-Encoding "%s"',
  async (accepted) => {
    const response = await get('platform/long', accepted)
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, long])
  },
)
