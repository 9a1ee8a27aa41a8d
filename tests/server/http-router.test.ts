import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {sites} from '#server/store/schema/platform.ts'
import {createTestServer, testOrigin, type TestServer} from './harness.ts'
import {routes} from './router-fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({routes: () => routes, servePage: async () => new Response('<!doctype html>page')})
})
afterAll(() => server.close())

const platform = '/services/platform/api/v1'
const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  server.call('POST', path, {body, headers})

describe('policies (R19)', () => {
  test('public routes know the caller when there is one; others want a token of their kind', async () => {
    const operator = await server.createUser()
    const member = await server.createUser()
    expect(await (await server.call('GET', `${platform}/open`)).json()).toEqual({origin: testOrigin})
    expect(await (await server.call('GET', `${platform}/open`, {token: member.accessToken})).json()).toEqual({
      user: member.user.id,
      origin: testOrigin,
    })
    expect((await server.call('GET', `${platform}/mine/`)).status).toBe(401)
    expect(await (await server.call('GET', `${platform}/mine`, {token: member.accessToken})).json()).toBe(
      member.user.id,
    )
    expect((await server.call('GET', `${platform}/mine/`, {token: `${member.accessToken}x`})).status).toBe(401)
    expect((await server.call('PUT', `${platform}/run`, {token: member.accessToken})).status).toBe(403)
    expect((await server.call('PUT', `${platform}/run`, {token: operator.accessToken})).status).toBe(200)
    expect(
      (await server.call('POST', '/services/api/chat', {token: member.accessToken, body: {question: 'foo'}})).status,
    ).toBe(401)
  })

  test('each host of errors has its shape', async () => {
    const management = await server.call('GET', `${platform}/mine/`)
    expect(await management.json()).toEqual({
      code: 'invalid_token',
      detail: 'Sign in again: the token is missing, wrong or expired.',
    })
    const ai = await post('/services/api/chat', {question: 'foo'})
    expect(await ai.json()).toEqual({
      error: {code: 'invalid_token', message: 'Sign in again: the token is missing, wrong or expired.'},
      success: false,
      trace_id: ai.headers.get('x-trace-id'),
    })
  })
})

describe('addresses', () => {
  test.each([
    ['GET', '/services/platform/api/v1/none', 404],
    ['GET', '/services/none/api', 404],
    ['GET', '/services', 404],
    ['GET', '/services/platform', 404],
    ['POST', `${platform}/open`, 405],
    ['DELETE', `${platform}/notes/`, 405],
  ])('%s %s is %d as JSON, never the page', async (method, path, status) => {
    const response = await server.call(method, path, method === 'POST' ? {body: {}} : {})
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('a wrong method names the right ones', async () => {
    expect((await server.call('DELETE', `${platform}/notes`)).headers.get('allow')).toBe('POST')
  })

  test('everything else is the page', async () => {
    expect(await (await server.call('GET', '/chatgpt/conversations')).text()).toContain('page')
  })
})

describe('hosts and origins (R24)', () => {
  const at = (url: string, init: RequestInit = {}) => server.handle(new Request(url, init))

  test.each([
    'http://evil.example/',
    'http://evil.example:4000/services/platform/api/v1/open',
    'http://127.0.0.1.evil.example/',
  ])('a request for %s is misdirected', async (url) => expect((await at(url)).status).toBe(421))

  test('a Host header that differs from the target is misdirected', async () => {
    expect((await at(`${testOrigin}${platform}/open`, {headers: {host: 'evil.example'}})).status).toBe(421)
  })

  test.each(['http://localhost:4000', 'http://[::1]:4000', 'http://localhost:8080'])(
    'loopback %s is ours',
    async (origin) => {
      expect((await at(`${origin}${platform}/open`, {headers: {origin}})).status).toBe(200)
    },
  )

  test.each([
    'https://evil.example',
    'http://localhost:3000',
    'null',
    'http://127.0.0.1:4000.evil.example',
    'https://127.0.0.1:4001',
  ])('a page of %s may not call, and reads nothing', async (origin) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const response = await server.call(method, `${platform}/${method === 'GET' ? 'open' : 'notes'}`, {
        origin,
        ...(method === 'POST' ? {body: {text: 'foo'}} : {}),
      })
      expect(response.status).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('a page of another of our origins gets exact CORS headers, also on refusals; one of this origin needs none', async () => {
    for (const path of ['open', 'mine/', 'none']) {
      const own = await server.call('GET', `${platform}/${path}`)
      for (const name of ['allow-origin', 'expose-headers', 'allow-credentials'])
        expect(own.headers.get(`access-control-${name}`)).toBeNull()
      expect(own.headers.get('vary')).toBe('Origin')
    }
    const split = await createTestServer({
      routes: () => routes,
      config: {serviceOrigins: {platform: 'http://127.0.0.1:4101'}, publicOrigins: ['https://ai.example.org']},
    })
    for (const path of ['open', 'mine/', 'none']) {
      const {headers} = await split.handle(
        new Request(`http://127.0.0.1:4101/api/v1/${path}`, {headers: {origin: 'https://ai.example.org'}}),
      )
      expect(headers.get('access-control-allow-origin')).toBe('https://ai.example.org')
      expect(headers.get('access-control-expose-headers')).toContain('x-trace-id')
      expect(headers.get('vary')).toBe('Origin')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
    await split.close()
  })

  test('a preflight is answered before any route', async () => {
    const response = await server.call('OPTIONS', `${platform}/notes`)
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-headers')).toContain('x-record-exempt')
    expect(response.headers.get('access-control-allow-origin')).toBe(testOrigin)
  })

  test('a site of the database is a known host and page, its placeholder is not', async () => {
    const site = 'https://tenant.example'
    const ask = () => at(`http://tenant.example${platform}/open`, {headers: {origin: site}})
    expect((await ask()).status).toBe(421)
    await server.deps.database.asSystem((transaction) =>
      transaction.insert(sites).values([{origin: site}, {origin: 'http://localhost-foo'}]),
    )
    server.advance(5_001)
    expect(await (await ask()).json()).toEqual({origin: site})
    expect((await server.call('GET', `${platform}/open`, {origin: 'http://localhost-foo'})).status).toBe(403)
  })

  test('a form whose page hides its origin is taken, unless the browser says it comes from elsewhere', async () => {
    const form = (headers: Record<string, string>) =>
      server.call('POST', '/services/auth/form', {body: new URLSearchParams({name: 'foo'}), origin: 'null', headers})
    expect((await form({})).status).toBe(200)
    expect((await form({'sec-fetch-site': 'same-origin'})).status).toBe(200)
    expect((await form({'sec-fetch-site': 'cross-site'})).status).toBe(403)
  })
})

describe('own origins of services', () => {
  let split: TestServer
  beforeAll(async () => {
    split = await createTestServer({
      routes: () => routes,
      config: {serviceOrigins: {platform: 'http://127.0.0.1:4101'}, publicOrigins: ['https://ai.example.org']},
      servePage: async (_, visible) => new Response(visible),
    })
  })
  afterAll(() => split.close())

  test.each([
    ['http://127.0.0.1:4101/api/v1/open', 200],
    ['http://127.0.0.1:4101/services/platform/api/v1/open', 404],
    ['http://127.0.0.1:4101/', 404],
    [`http://127.0.0.1:4000${platform}/open`, 404],
    ['http://127.0.0.1:4000/services/auth/form', 405],
  ])('%s is %d', async (url, status) => expect((await split.handle(new Request(url))).status).toBe(status))

  test('the page behind a proxy that ends TLS is seen under its public origin', async () => {
    expect(await (await split.handle(new Request('http://ai.example.org/chatgpt'))).text()).toBe(
      'https://ai.example.org',
    )
  })

  test('the page calls its services across origins', async () => {
    const response = await split.handle(
      new Request('http://127.0.0.1:4101/api/v1/open', {headers: {origin: 'https://ai.example.org'}}),
    )
    expect(response.headers.get('access-control-allow-origin')).toBe('https://ai.example.org')
  })
})

describe('the error boundary (R32, R26)', () => {
  test('an unexpected error says nothing of itself but a trace id, which the log has', async () => {
    const response = await server.call('GET', `${platform}/broken`)
    expect(response.status).toBe(500)
    expect(JSON.stringify([await response.json(), [...response.headers]])).not.toContain('canary-7711')
    expect(server.logged.at(-1)).toMatchObject({
      level: 'error',
      message: 'request failed',
      fields: {traceId: response.headers.get('x-trace-id'), path: `${platform}/broken`, reason: 'canary-7711'},
    })
  })

  test('a full disk is 507 busy with the time to come again', async () => {
    const response = await server.call('GET', `${platform}/full`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([507, '30'])
    expect(await response.json()).toEqual({
      code: 'busy',
      detail: 'The disk of this installation is full: nothing can be written until there is room again.',
    })
  })

  test('a page shows its failure as a page, with its own policy', async () => {
    const response = await server.call('GET', '/services/auth/page')
    expect([response.status, await response.text(), response.headers.get('content-security-policy')]).toEqual([
      400,
      '<p>foo</p>',
      'foo',
    ])
  })

  test('every answer has the security headers (R08)', async () => {
    for (const path of ['/', `${platform}/open`, `${platform}/none`]) {
      const {headers} = await server.call('GET', path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'cross-origin-resource-policy': 'same-site',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      })
    }
  })
})

describe('limits (R33)', () => {
  test('an empty bucket is 429 with Retry-After, fills again, and is one per address', async () => {
    const limited = await createTestServer({routes: () => routes, config: {limitFactor: 0.25}})
    const login = (address: string) =>
      limited.handle(new Request(`${testOrigin}${platform}/login`, {method: 'POST'}), {address})
    for (let call = 0; call < 10; call += 1) expect((await login('10.0.0.1')).status).toBe(200)
    const refused = await login('10.0.0.1')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6'])
    expect(await refused.json()).toEqual({code: 'too_many_requests', detail: 'Too many requests. Try again in 6 s.'})
    expect((await login('10.0.0.2')).status).toBe(200)
    limited.advance(6_000)
    expect((await login('10.0.0.1')).status).toBe(200)
    expect((await login('10.0.0.1')).status).toBe(429)
    await limited.close()
  })
})
