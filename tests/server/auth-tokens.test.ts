import {createHash} from 'node:crypto'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import {authRoutes} from '#server/auth/auth.routes.ts'
import {route} from '#server/http/route.ts'
import {hashToken} from '#server/secrets.ts'
import {accessTokens, loginCodes, tokenFamilies} from '#server/store/schema/people.ts'
import {applications, credentials} from '#server/store/schema/platform.ts'
import {
  callback,
  createAuthServer,
  createPkce,
  exchange,
  getCode,
  loginPath,
  password,
  query,
  revokePath,
  tokenPath,
} from './auth-support.ts'
import {testOrigin, type TestServer} from './harness.ts'

/** A route that says whom the server takes a request for. */
const whoAmI = (policy: 'user' | 'credential' | 'operator' | 'public') =>
  route({
    service: 'platform',
    method: 'POST',
    path: `/${policy}`,
    policy,
    handle: ({identity}) =>
      Response.json({userId: identity?.userId ?? null, credentialId: identity?.credentialId ?? null}),
  })

let server: TestServer
const email = 'foo@example.com'
beforeAll(async () => {
  server = await createAuthServer({
    routes: (deps) => [...authRoutes(deps), whoAmI('user'), whoAmI('credential'), whoAmI('operator'), whoAmI('public')],
  })
  await server.createUser({email, password, role: 'member'})
})
afterAll(() => server.close())

const codeOf = async (response: Response) => [response.status, ((await response.json()) as {code?: string}).code]
const refused = [400, 'invalid_grant']
const tokensOf = async (response: Response) => {
  expect(response.status).toBe(200)
  return (await response.json()) as {access_token: string; refresh_token: string; expires_in: number}
}
const refresh = (refreshToken: string, origin: string | null = testOrigin) =>
  exchange(server, {grant_type: 'refresh_token', refresh_token: refreshToken}, origin)
const whoIs = (token: string) => server.call('POST', '/services/platform/user', {token})
const newSession = async () => (await server.createUser({role: 'member'})).tokens

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
    const late = await getCode(aging, email)
    aging.advance(60_000)
    expect(await codeOf(await exchange(aging, {code: late}))).toEqual(refused)
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

describe('refreshing (R15)', () => {
  test('ten at once get one successor', async () => {
    const {refresh_token: first} = await newSession()
    const answers = await Promise.all(Array.from({length: 10}, async () => tokensOf(await refresh(first))))
    expect(new Set(answers.map(({refresh_token: next}) => next)).size).toBe(1)
    expect(answers[0]?.refresh_token).not.toBe(first)
    for (const {access_token: token} of answers) expect((await whoIs(token)).status).toBe(200)
  })

  test('a replay within 30 s gets the same successor, later it ends the sign-in', async () => {
    const aging = await createAuthServer()
    const again = (token: string) => exchange(aging, {grant_type: 'refresh_token', refresh_token: token})
    const {tokens} = await aging.createUser()
    const second = await tokensOf(await again(tokens.refresh_token))
    aging.advance(29_000)
    expect((await tokensOf(await again(tokens.refresh_token))).refresh_token).toBe(second.refresh_token)
    aging.advance(2_000)
    expect(await codeOf(await again(tokens.refresh_token))).toEqual(refused)
    expect(await codeOf(await again(second.refresh_token))).toEqual(refused)
    await aging.close()
  })

  test('an older generation ends the sign-in even within the grace', async () => {
    const {refresh_token: first} = await newSession()
    const second = await tokensOf(await refresh(first))
    const third = await tokensOf(await refresh(second.refresh_token))
    expect(await codeOf(await refresh(first))).toEqual(refused)
    expect(await codeOf(await refresh(third.refresh_token))).toEqual(refused)
    expect((await whoIs(third.access_token)).status).toBe(401)
  })

  test('ends 30 days after the last rotation, and each rotation begins anew', async () => {
    const day = 24 * 60 * 60 * 1000
    const aging = await createAuthServer()
    const again = (token: string) => exchange(aging, {grant_type: 'refresh_token', refresh_token: token})
    const {tokens} = await aging.createUser()
    aging.advance(29 * day)
    const second = await tokensOf(await again(tokens.refresh_token))
    aging.advance(29 * day)
    const third = await tokensOf(await again(second.refresh_token))
    aging.advance(30 * day)
    expect(await codeOf(await again(third.refresh_token))).toEqual(refused)
    await aging.close()
  })

  test('ends 90 days after it began, however often it is refreshed', async () => {
    const day = 24 * 60 * 60 * 1000
    const aging = await createAuthServer()
    const again = (token: string) => exchange(aging, {grant_type: 'refresh_token', refresh_token: token})
    let tokens: {refresh_token: string} = (await aging.createUser()).tokens
    for (const days of [29, 29, 29]) {
      aging.advance(days * day)
      tokens = await tokensOf(await again(tokens.refresh_token))
    }
    aging.advance(3 * day)
    expect(await codeOf(await again(tokens.refresh_token))).toEqual(refused)
    await aging.close()
  })

  test('forged, cut and foreign tokens are refused and end nothing', async () => {
    const {refresh_token: mine} = await newSession()
    const {refresh_token: other} = await newSession()
    const [family = '', , signature = ''] = mine.split('.')
    const [otherFamily = ''] = other.split('.')
    for (const token of [
      `${family}.1.${signature}`,
      `${otherFamily}.0.${signature}`,
      mine.slice(0, -1),
      `${mine}x`,
      'x',
      `${family}.-1.${signature}`,
    ]) {
      expect([token, ...(await codeOf(await refresh(token)))]).toEqual([token, ...refused])
    }
    await tokensOf(await refresh(other))
    await tokensOf(await refresh(mine))
  })

  test('a page of another origin neither rotates nor ends it', async () => {
    const {refresh_token: mine} = await newSession()
    const {sites} = await import('#server/store/schema/platform.ts')
    await server.deps.database.asSystem((transaction) =>
      transaction.insert(sites).values({origin: 'https://other.example'}).onConflictDoNothing(),
    )
    expect((await refresh(mine, 'https://other.example')).status).not.toBe(200)
    await tokensOf(await refresh(mine))
  })

  test('access tokens end after 15 minutes and stand in the database as hashes', async () => {
    const aging = await createAuthServer({routes: () => [whoAmI('user')]})
    const {accessToken} = await aging.createUser()
    const ask = async () => (await aging.call('POST', '/services/platform/user', {token: accessToken})).status
    aging.advance(14 * 60_000)
    expect(await ask()).toBe(200)
    aging.advance(60_000)
    expect(await ask()).toBe(401)
    const rows = await aging.deps.database.asSystem((transaction) => transaction.select().from(accessTokens))
    expect(JSON.stringify(rows)).not.toContain(accessToken)
    await aging.close()
  })
})

describe('revocation (R16)', () => {
  test('by refresh token or bearer ends this sign-in and no other', async () => {
    const {user, tokens} = await server.createUser({role: 'member'})
    const {issueTokens} = await import('#server/auth/tokens.ts')
    const {tokens: second} = await issueTokens(server.deps, {userId: user.id, client: testOrigin})
    const {tokens: third} = await issueTokens(server.deps, {userId: user.id, client: testOrigin})
    expect((await server.call('POST', revokePath, {body: {refresh_token: tokens.refresh_token}})).status).toBe(204)
    expect((await server.call('POST', revokePath, {token: second.access_token, body: {}})).status).toBe(204)
    expect((await whoIs(tokens.access_token)).status).toBe(401)
    expect(await codeOf(await refresh(tokens.refresh_token))).toEqual(refused)
    expect((await whoIs(second.access_token)).status).toBe(401)
    expect((await whoIs(third.access_token)).status).toBe(200)
  })

  test('also ends the browser credentials made in it, not API keys', async () => {
    const {user, familyId, tokens} = await server.createUser({role: 'member'})
    const keys = await createKeys(user.id, familyId)
    await server.call('POST', revokePath, {body: {refresh_token: tokens.refresh_token}})
    expect((await askWith(keys.browser)).status).toBe(401)
    expect((await askWith(keys.api)).status).toBe(200)
  })

  test('an unknown token is nothing to end', async () => {
    expect((await server.call('POST', revokePath, {body: {refresh_token: 'x'}})).status).toBe(204)
    expect((await server.call('POST', revokePath, {body: {other: 1}})).status).toBe(400)
  })
})

const createKeys = async (userId: string, familyId: string) => {
  const keys = {browser: `sk-atrium-${'b'.repeat(20)}-${userId}`, api: `sk-atrium-${'a'.repeat(20)}-${userId}`}
  await server.deps.database.asSystem(async (transaction) => {
    const [application] = await transaction.insert(applications).values({userId}).returning()
    const applicationId = application?.id ?? ''
    const expiredAt = new Date(server.deps.now().getTime() + 24 * 60 * 60 * 1000)
    await transaction.insert(credentials).values([
      {userId, applicationId, host: testOrigin, familyId, tokenHash: hashToken(keys.browser), expiredAt},
      {userId, applicationId, tokenHash: hashToken(keys.api)},
    ])
  })
  return keys
}
const askWith = (token: string, origin: string | null = testOrigin) =>
  server.call('POST', '/services/platform/credential', {token, origin})

describe('who a token is', () => {
  test('each policy takes its own kind of token', async () => {
    const {user, familyId, accessToken} = await server.createUser({role: 'member'})
    const keys = await createKeys(user.id, familyId)
    const statusOf = async (policy: string, token: string) =>
      (await server.call('POST', `/services/platform/${policy}`, {token})).status
    expect([await statusOf('user', accessToken), await statusOf('user', keys.api)]).toEqual([200, 401])
    expect([await statusOf('credential', accessToken), await statusOf('credential', keys.api)]).toEqual([401, 200])
    expect([await statusOf('operator', accessToken), await statusOf('operator', keys.api)]).toEqual([403, 401])
    const {accessToken: operator} = await server.createUser({role: 'operator'})
    expect(await statusOf('operator', operator)).toBe(200)
    expect(await (await server.call('POST', '/services/platform/public', {token: accessToken})).json()).toMatchObject({
      userId: user.id,
    })
    expect(
      await (await server.call('POST', '/services/platform/public', {token: `${accessToken}x`})).json(),
    ).toMatchObject({userId: null})
  })

  test('a browser’s key works from its own page and from programs, not from another page', async () => {
    const {user, familyId} = await server.createUser({role: 'member'})
    const keys = await createKeys(user.id, familyId)
    expect((await askWith(keys.browser)).status).toBe(200)
    expect((await askWith(keys.browser, null)).status).toBe(200)
    expect((await askWith(keys.browser, 'http://localhost:4000')).status).toBe(401)
    expect((await askWith(keys.api, 'http://localhost:4000')).status).toBe(200)
  })

  test('an expired or revoked key is nobody', async () => {
    const {user, familyId} = await server.createUser({role: 'member'})
    const keys = await createKeys(user.id, familyId)
    const set = (values: Partial<typeof credentials.$inferInsert>) =>
      server.deps.database.asSystem((transaction) =>
        transaction
          .update(credentials)
          .set(values)
          .where(eq(credentials.tokenHash, hashToken(keys.api))),
      )
    await set({expiredAt: new Date(0)})
    expect((await askWith(keys.api)).status).toBe(401)
    await set({expiredAt: null})
    expect((await askWith(keys.api)).status).toBe(200)
    await set({revokedAt: new Date(0)})
    expect((await askWith(keys.api)).status).toBe(401)
  })

  test('a token of an ended sign-in is nobody, whatever its own life', async () => {
    const {familyId, accessToken} = await server.createUser({role: 'member'})
    await server.deps.database.asSystem((transaction) =>
      transaction.update(tokenFamilies).set({revokedAt: new Date()}).where(eq(tokenFamilies.id, familyId)),
    )
    expect((await whoIs(accessToken)).status).toBe(401)
  })

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic Zm9vOmJhcg==',
    `Bearer ${'x'.repeat(600)}`,
    'Bearer at-äöü',
    "Bearer at-' or 1=1 --",
  ])('a header of %j is nobody', async (authorization) => {
    const authenticate = createAuthenticate(server.deps)
    const headers = new Headers()
    if (!/[^\x20-\x7e]/.test(authorization)) headers.set('authorization', authorization)
    expect(await authenticate(new Request(testOrigin, {headers}), 'user')).toBeUndefined()
    expect(await authenticate(new Request(testOrigin, {headers}), 'credential')).toBeUndefined()
  })
})

test('the token endpoint is limited', async () => {
  const standing = new Date()
  const limited = await createAuthServer({config: {limitFactor: 0.05}, deps: {now: () => standing}})
  const ask = async () => (await limited.call('POST', tokenPath, {body: {code: 'x'}})).status
  const statuses = []
  for (let attempt = 0; attempt < 7; attempt += 1) statuses.push(await ask())
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429])
  await limited.close()
})
