import {createHash} from 'node:crypto'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {hashToken} from '#server/secrets.ts'
import {loginCodes} from '#server/store/schema/people.ts'
import {callback, createAuthServer, createPkce, exchange, getCode, loginPath, password, query} from './auth-support.ts'
import {testOrigin, type TestServer} from './harness.ts'
import {createTokenServer, codeOf, email, refused, tokensOf} from './auth-tokens-fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTokenServer()
})
afterAll(() => server.close())

const refresh = (refreshToken: string, origin: string | null = testOrigin) =>
  exchange(server, {grant_type: 'refresh_token', refresh_token: refreshToken}, origin)
const whoIs = (token: string) => server.call('POST', '/services/platform/user', {token})

describe('codes', () => {
  test('with a verifier become tokens, once', async () => {
    const {verifier, challenge} = createPkce()
    const code = await getCode(server, email, {challenge})
    const response = await exchange(server, {code, code_verifier: verifier, redirect_uri: callback})
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^at-[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[0-9a-f-]{36}\.0\.[\w-]{43}$/),
      expires_in: 900,
      token_type: 'Bearer',
    })
  })

  test('the specified client sends the code alone, also by the other name of the endpoint', async () => {
    const first = await getCode(server, email)
    await tokensOf(await exchange(server, {code: first}))
    const second = await getCode(server, email)
    await tokensOf(await server.call('POST', '/services/auth/sso/v1/token', {body: {code: second}, origin: null}))
  })

  test('a second use ends the sign-in of the first', async () => {
    const code = await getCode(server, email)
    const tokens = await tokensOf(await exchange(server, {code}))
    expect((await whoIs(tokens.access_token)).status).toBe(200)
    expect(await codeOf(await exchange(server, {code}))).toEqual(refused)
    expect((await whoIs(tokens.access_token)).status).toBe(401)
    expect(await codeOf(await refresh(tokens.refresh_token))).toEqual(refused)
  })

  test('ten at once: at most one gets tokens, and the replay ends them', async () => {
    const code = await getCode(server, email)
    const responses = await Promise.all(Array.from({length: 10}, () => exchange(server, {code})))
    const good = responses.filter(({status}) => status === 200)
    expect(good).toHaveLength(1)
    const tokens = await tokensOf(good[0] ?? Response.error())
    expect((await whoIs(tokens.access_token)).status).toBe(401)
  })

  test('live 60 s', async () => {
    const aging = await createAuthServer()
    await aging.createUser({email, password})
    const inTime = await getCode(aging, email)
    aging.advance(58_000)
    expect((await exchange(aging, {code: inTime})).status).toBe(200)
    const expiredCode = await getCode(aging, email)
    aging.advance(60_000)
    expect(await codeOf(await exchange(aging, {code: expiredCode}))).toEqual(refused)
    await aging.close()
  })

  test('a wrong or missing verifier spends the code', async () => {
    const {verifier, challenge} = createPkce()
    for (const wrong of [undefined, createPkce().verifier, challenge]) {
      const code = await getCode(server, email, {challenge})
      expect(await codeOf(await exchange(server, {code, code_verifier: wrong}))).toEqual(refused)
      expect(await codeOf(await exchange(server, {code, code_verifier: verifier}))).toEqual(refused)
    }
  })

  test.each([
    ['the shortest', `${'a'.repeat(39)}._~-`, 200],
    ['the longest', `${'a'.repeat(124)}._~-`, 200],
    ['one too short', 'a'.repeat(42), 400],
    ['one too long', 'a'.repeat(129), 400],
    ['one with another character', `${'a'.repeat(43)}+`, 400],
  ])('verifiers are those of RFC 7636: %s', async (_, verifier, status) => {
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const code = await getCode(server, email, {challenge})
    expect((await exchange(server, {code, code_verifier: verifier})).status).toBe(status)
  })

  test('a verifier without a stored challenge is refused', async () => {
    const code = await getCode(server, email)
    expect(await codeOf(await exchange(server, {code, code_verifier: createPkce().verifier}))).toEqual(refused)
  })

  test('are bound to redirect and page', async () => {
    const otherRedirect = await getCode(server, email)
    expect(
      await codeOf(await exchange(server, {code: otherRedirect, redirect_uri: `${testOrigin}/auth/callback`})),
    ).toEqual(refused)
    const developing = await createAuthServer({config: {mode: 'development'}, sharing: server})
    const otherPage = await getCode(developing, email, {redirect: 'http://127.0.0.1:5555/auth/callback'})
    expect(await codeOf(await exchange(developing, {code: otherPage}))).toEqual(refused)
    await developing.close()
  })

  test('stand in the database as hashes', async () => {
    const code = await getCode(server, email)
    const rows = await server.deps.database.asSystem((transaction) => transaction.select().from(loginCodes))
    expect(rows.some(({hash}) => hash === hashToken(code))).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(code)
  })

  test.each([
    ['an unknown code', {code: 'x'.repeat(43)}, 400],
    ['no code', {}, 400],
    ['an unknown key', {code: 'x', client_secret: 'y'}, 400],
    ['another grant', {grant_type: 'password', username: 'a', password: 'b'}, 400],
    ['text', 'code=x', 415],
  ])('%s is a refusal', async (_, body, status) => {
    expect((await exchange(server, body as object)).status).toBe(status)
  })
})

describe('the redirect (R10, R12)', () => {
  const open = async (values: Record<string, string | undefined>) =>
    (await server.call('GET', `${loginPath}${query(values)}`, {origin: null})).status

  test.each([
    `${testOrigin}/auth/callback`,
    'http://localhost:4000/auth/callback?redirect=%2F',
    'http://[::1]:4000/auth/callback',
    `${testOrigin}/auth/callback?redirect=%2Fchatgpt%3Fa%3Db%23c&state=abc`,
  ])('may be %s', async (redirect) => {
    expect(await open({redirect})).toBe(200)
  })

  test.each([
    'https://evil.example/auth/callback',
    `${testOrigin}.evil.example/auth/callback`,
    `http://127.0.0.1:4000@evil.example/auth/callback`,
    `http://foo:bar@127.0.0.1:4000/auth/callback`,
    'http://localhost:5555/auth/callback',
    // another program of this machine may listen there
    'http://127.0.0.1:9/auth/callback?state=abc',
    'http://[::1]:9/auth/callback',
    'https://127.0.0.1:4000/auth/callback',
    `${testOrigin}/auth/callback/`,
    `${testOrigin}/auth/callback/../evil`,
    `${testOrigin}/x/../auth/callback`,
    `${testOrigin}//auth/callback`,
    `${testOrigin}/auth/Callback`,
    `${testOrigin}/auth/callbackevil`,
    `${testOrigin}/auth/%63allback`,
    `${testOrigin}\\auth\\callback`,
    `${testOrigin}/auth/call\tback`,
    ` ${testOrigin}/auth/callback`,
    `${testOrigin}/auth/callback#fragment`,
    `${testOrigin}/auth/callback#`,
    `${testOrigin}/auth/callback?code=abc`,
    `${testOrigin}/auth/callback?next=%2F`,
    `${testOrigin}/auth/callback?redirect=%2F&redirect=%2Fx`,
    `${testOrigin}/auth/callback?redirect=https%3A%2F%2Fevil.example`,
    `${testOrigin}/auth/callback?redirect=%2F%2Fevil.example`,
    `${testOrigin}/auth/callback?redirect=%2F%5Cevil.example`,
    `${testOrigin}/auth/callback?redirect=%2F%09%2Fevil.example`,
    `${testOrigin}/auth/callback?redirect=%2F..%2F%2Fevil.example`,
    '//127.0.0.1:4000/auth/callback',
    '/auth/callback',
    'javascript:alert(1)',
    `blob:${testOrigin}/auth/callback`,
    '',
    'x'.repeat(5000),
  ])('never %s', async (redirect) => {
    expect(await open({redirect})).toBe(400)
  })

  test.each([
    ['development', {mode: 'development'}, 200],
    ['configuration', {publicOrigins: ['http://127.0.0.1:9']}, 200],
    ['test', {mode: 'test'}, 400],
    ['production', {mode: 'production'}, 400],
  ] as const)('another port of loopback: %s', async (_, config, status) => {
    const own = await createAuthServer({config})
    const path = `${loginPath}${query({redirect: 'http://127.0.0.1:9/auth/callback'})}`
    expect((await own.call('GET', path, {origin: null})).status).toBe(status)
    await own.close()
  })

  test('a site’s page may, a placeholder never', async () => {
    const {sites} = await import('#server/store/schema/platform.ts')
    const placeholder = 'http://localhost-11111111-1111-4111-8111-111111111111'
    const site = 'https://site.example'
    expect(await open({redirect: `${site}/auth/callback`})).toBe(400)
    await server.deps.database.asSystem((transaction) =>
      transaction.insert(sites).values([{origin: site}, {origin: placeholder}]),
    )
    expect(await open({redirect: `${site}/auth/callback`})).toBe(200)
    expect(await open({redirect: `${placeholder}/auth/callback`})).toBe(400)
  })

  test.each([
    ['plain', {code_challenge: 'a'.repeat(43), code_challenge_method: 'plain'}],
    ['a challenge without a method, which would be plain', {code_challenge: 'a'.repeat(43)}],
    ['a method without a challenge', {code_challenge_method: 'S256'}],
    ['a short challenge', {code_challenge: 'a'.repeat(42), code_challenge_method: 'S256'}],
    ['a short state', {state: 'abc'}],
    ['two answers', {parent_origin: testOrigin}],
  ])('refuses %s', async (_, values) => {
    expect(await open({redirect: callback, ...values})).toBe(400)
  })

  test('refuses a repeated key', async () => {
    const path = `${loginPath}${query({redirect: callback})}&redirect=${encodeURIComponent('https://evil.example/auth/callback')}`
    expect((await server.call('GET', path, {origin: null})).status).toBe(400)
  })
})
