import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import {hashToken} from '#server/secrets.ts'
import {accessTokens, tokenFamilies} from '#server/store/schema/people.ts'
import {applications, credentials} from '#server/store/schema/platform.ts'
import {createAuthServer, exchange, revokePath, tokenPath} from './auth-support.ts'
import {testOrigin, type TestServer} from './harness.ts'
import {createTokenServer, codeOf, refused, tokensOf, whoAmI} from './auth-tokens-fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTokenServer()
})
afterAll(() => server.close())

const refresh = (refreshToken: string, origin: string | null = testOrigin) =>
  exchange(server, {grant_type: 'refresh_token', refresh_token: refreshToken}, origin)
const whoIs = (token: string) => server.call('POST', '/services/platform/user', {token})
const newSession = async () => (await server.createUser({role: 'member'})).tokens

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
    expect(await (await server.call('POST', '/services/platform/public', {token: accessToken})).json()).toEqual({
      userId: user.id,
      credentialId: null,
    })
    expect(await (await server.call('POST', '/services/platform/public', {token: `${accessToken}x`})).json()).toEqual({
      userId: null,
      credentialId: null,
    })
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
