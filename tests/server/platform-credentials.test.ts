import {eq, sql} from 'drizzle-orm'
import {readFile} from 'node:fs/promises'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import {issueTokens} from '#server/auth/tokens.ts'
import {credentials} from '#server/store/schema/platform.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, createPlatform} from './platform.fixtures.ts'
import {createUsage} from './usage.fixtures.ts'

let server: TestServer
let operator: TestUser
let user: TestUser
beforeAll(async () => {
  server = await createPlatform()
  operator = await server.createUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await server.createUser()
})

type Options = {token?: string; body?: object; origin?: string | null}
const call = (method: string, path: string, options: Options = {}) =>
  ask(server, method, path, {token: user.accessToken, ...options})
const applyGlobal = async () => (await call('POST', '/applications/', {body: {type: 'Usage', scope: 'Global'}})).body
const asSystem: TestServer['deps']['database']['asSystem'] = (work) => server.deps.database.asSystem(work)
const hour = 3_600_000

describe('credentials', () => {
  const create = async (body: object, options: Options = {}) => {
    const made = (await call('GET', '/applications/')).body.items[0] ?? (await applyGlobal())
    return call('POST', '/credentials/', {body: {application_id: made.id, ...body}, ...options})
  }
  const identify = (token: string, origin: string | undefined) =>
    createAuthenticate(server.deps)(
      new Request(testOrigin, {headers: {authorization: `Bearer ${token}`, ...(origin && {origin})}}),
      'credential',
    )
  /** The sender of a request with this key; an API key belongs to no sign-in. */
  const identityOf = (key: {id: string; application_id: string}, familyId: string | undefined = undefined) => ({
    userId: user.user.id,
    role: 'member',
    familyId,
    credentialId: key.id,
    applicationId: key.application_id,
  })

  test('a browser key authenticates its application from its page, and its token is nowhere in the database', async () => {
    const {status, body} = await create({host: testOrigin})
    expect(status).toBe(201)
    expect(body.token).toMatch(/^sk-atrium-[\w-]{43}$/)
    expect([body.type, body.host, body.user_id]).toEqual(['Token', testOrigin, user.user.id])
    expect(await identify(body.token, testOrigin)).toEqual(identityOf(body, user.familyId))
    expect(await identify(body.token, 'https://foreign.example')).toBeUndefined()
    const [row] = await asSystem((transaction) =>
      transaction.select().from(credentials).where(eq(credentials.id, body.id)),
    )
    expect(JSON.stringify(row)).not.toContain(body.token.slice(10))
    expect(row?.familyId).toBe(user.familyId)
  })

  test('asking five times at once and again gives one key', async () => {
    await applyGlobal()
    const answers = await Promise.all(Array.from({length: 5}, () => create({host: testOrigin})))
    expect(answers.map(({status}) => status).sort()).toEqual([200, 200, 200, 200, 201])
    expect(new Set(answers.map(({body}) => body.token)).size).toBe(1)
    expect((await create({host: testOrigin})).body).toEqual(answers[0]?.body)
    expect((await call('GET', '/credentials/')).body.count).toBe(1)
  })

  test('a browser key lives 24 h; in its last hour it works but the next one is handed out', async () => {
    const {body: old} = await create({host: testOrigin})
    expect(new Date(old.expired_at).getTime() - new Date(old.created_at).getTime()).toBe(24 * hour)
    const endIn = (milliseconds: number) => {
      const expiredAt = new Date(server.deps.now().getTime() + milliseconds)
      return asSystem((transaction) =>
        transaction.update(credentials).set({expiredAt}).where(eq(credentials.id, old.id)),
      )
    }
    const embedded = async () =>
      (await call('GET', `/applications/${old.application_id}`)).body.credentials.map((key: {id: string}) => key.id)
    await endIn(1.1 * hour)
    expect(await embedded()).toEqual([old.id])
    await endIn(0.9 * hour)
    expect(await embedded()).toEqual([])
    expect(await identify(old.token, testOrigin)).toEqual(identityOf(old, user.familyId))
    const next = await create({host: testOrigin})
    expect([next.status, next.body.id === old.id]).toEqual([201, false])
    expect(await identify(old.token, testOrigin)).toBeUndefined()
    expect(await embedded()).toEqual([next.body.id])
    await asSystem((transaction) =>
      transaction.update(credentials).set({expiredAt: server.deps.now()}).where(eq(credentials.id, next.body.id)),
    )
    expect(await identify(next.body.token, testOrigin)).toBeUndefined()
    expect((await call('GET', `/credentials/${next.body.id}`)).status).toBe(404)
  })

  test('an application carries the keys of this sign-in and the API keys, not those of another browser', async () => {
    const own = (await create({host: testOrigin})).body
    const api = (await create({name: 'foo'})).body
    const {tokens} = await issueTokens(server.deps, {userId: user.user.id, client: testOrigin})
    const elsewhere = (await create({host: testOrigin}, {token: tokens.access_token})).body
    expect(elsewhere.id).not.toBe(own.id)
    const {body: read} = await call('GET', `/applications/${own.application_id}`)
    expect(read.credentials.map((key: {id: string}) => key.id).sort()).toEqual([own.id, api.id].sort())
    expect(read.credentials.find((key: {host?: string}) => key.host === testOrigin).token).toBe(own.token)
    const {body: listed} = await call('GET', '/credentials/')
    expect(listed.count).toBe(3)
    expect(listed.items.find((key: {id: string}) => key.id === elsewhere.id)).not.toHaveProperty('token')
  })

  test('an API key has no host and lives until it is revoked', async () => {
    const {body} = await create({name: ' foo '})
    expect(body.name).toBe('foo')
    expect(body).not.toHaveProperty('host')
    expect(body).not.toHaveProperty('expired_at')
    expect(await identify(body.token, undefined)).toEqual(identityOf(body))
    expect((await call('DELETE', `/credentials/${body.id}`)).status).toBe(204)
    expect(await identify(body.token, undefined)).toBeUndefined()
    expect((await call('GET', `/credentials/${body.id}`)).status).toBe(404)
    expect((await call('DELETE', `/credentials/${body.id}`)).status).toBe(404)
    expect((await call('GET', '/credentials/')).body.count).toBe(0)
  })

  test.each([
    [{host: 'https://foreign.example'}, testOrigin, 403],
    [{host: `${testOrigin}/path`}, testOrigin, 400],
    [{host: 'example.com'}, testOrigin, 400],
    [{host: 'javascript:alert(1)'}, testOrigin, 400],
    [{host: 'null'}, testOrigin, 400],
    [{host: 'https://any.example'}, null, 201],
    [{token: 'sk-atrium-foo'}, testOrigin, 400],
    [{application_id: '00000000-0000-4000-8000-000000000000'}, testOrigin, 404],
    [{application_id: 'foo'}, testOrigin, 400],
  ])('%j from %s is %i', async (body, origin, status) => {
    expect((await create(body, {origin})).status).toBe(status)
  })

  test('a key made under another secret is replaced, not shown', async () => {
    const {body: old} = await create({host: testOrigin})
    await asSystem((transaction) =>
      transaction
        .update(credentials)
        .set({tokenHash: `other ${old.id}`})
        .where(eq(credentials.id, old.id)),
    )
    const {body: read} = await call('GET', `/applications/${old.application_id}`)
    expect(read.credentials).toEqual([])
    const {body: next} = await create({host: testOrigin})
    expect(next.id).not.toBe(old.id)
    expect(await identify(next.token, testOrigin)).toEqual(identityOf(next, user.familyId))
  })

  test('an application has a bounded number of API keys', async () => {
    const {body} = await create({})
    await asSystem((transaction) =>
      transaction.insert(credentials).values(
        Array.from({length: 49}, (_, index) => ({
          userId: user.user.id,
          applicationId: body.application_id as string,
          tokenHash: `${body.id} ${index}`,
        })),
      ),
    )
    expect((await create({})).status).toBe(409)
    expect((await create({host: testOrigin})).status).toBe(201)
  })

  test('lists filter by application and order', async () => {
    const {body: made} = await create({name: 'a'})
    server.advance(1000)
    await create({name: 'b'})
    const names = async (query: string) =>
      (await call('GET', `/credentials/?${query}`)).body.items.map((item: {name: string}) => item.name)
    expect(await names(`application_id=${made.application_id}`)).toEqual(['b', 'a'])
    expect(await names('ordering=created_at')).toEqual(['a', 'b'])
    expect(await names('application_id=00000000-0000-4000-8000-000000000000')).toEqual([])
    expect(await names('application_id=foo')).toEqual([])
    expect(await names(`user_id=${operator.user.id}`)).toEqual([])
  })

  test('what keys used before it was counted is added up from usage', async () => {
    const {add} = await createUsage(server, user)
    const [{body: one}, {body: other}] = [await create({name: 'one'}), await create({name: 'other'})]
    await add([
      {credentialId: one.id, deductedAmount: '0.1'},
      {credentialId: one.id, deductedAmount: '0.2'},
      {credentialId: null, deductedAmount: '5'},
    ])
    const backfill = await readFile('src/server/store/migrations/0023_credential_usage.sql', 'utf8')
    for (const _ of [1, 2]) await asSystem((transaction) => transaction.execute(sql.raw(backfill)))
    const used = async ({id}: {id: string}) => (await call('GET', `/credentials/${id}`)).body.used_amount
    expect([await used(one), await used(other)]).toEqual([0.3, 0])
  })
})
