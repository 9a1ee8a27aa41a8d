import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {chatServiceId} from '#contract/chat.ts'
import {application as applicationSchema} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import {issueTokens} from '#server/auth/tokens.ts'
import {createLedger} from '#server/ledger/postgres-ledger.ts'
import {applications, credentials, ledgerEntries} from '#server/store/schema.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, createPlatform} from './platform.fixtures.ts'

let server: TestServer
let operator: TestUser
let person: TestUser
beforeAll(async () => {
  server = await createPlatform()
  operator = await server.createUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  person = await server.createUser()
})

type Options = {token?: string; body?: object; origin?: string | null}
const call = (method: string, path: string, options: Options = {}) =>
  ask(server, method, path, {token: person.accessToken, ...options})
const apply = (body: object) => call('POST', '/applications/', {body})
const applyGlobal = async () => (await apply({type: 'Usage', scope: 'Global', user_id: person.user.id})).body
const newService = async (body: object = {}) =>
  (await ask(server, 'POST', '/services/', {token: operator.accessToken, body: {title: 'foo', ...body}})).body
const asSystem: TestServer['deps']['database']['asSystem'] = (work) => server.deps.database.asSystem(work)
const hour = 3_600_000

describe('applying', () => {
  test('gives the general application with the free credits, granted through the ledger', async () => {
    const {status, body} = await apply({type: 'Usage', scope: 'Global', user_id: person.user.id})
    expect(status).toBe(201)
    expect(body).toMatchObject({
      type: 'Usage',
      scope: 'Global',
      user_id: person.user.id,
      remaining_amount: 10,
      used_amount: 0,
      packages: [],
      credentials: [],
    })
    expect(z.safeParse(applicationSchema, body).success).toBe(true)
    const entries = await asSystem((transaction) =>
      transaction.select().from(ledgerEntries).where(eq(ledgerEntries.applicationId, body.id)),
    )
    expect(entries.map(({kind, amount}) => ({kind, amount}))).toEqual([{kind: 'grant', amount: '10.000000'}])
  })

  test('a second one is a duplication, also when five ask at once', async () => {
    const answers = await Promise.all(Array.from({length: 5}, () => apply({type: 'Usage', scope: 'Global'})))
    expect(answers.map(({status}) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(answers.find(({status}) => status === 409)?.body.code).toBe('duplication')
    expect((await call('GET', '/applications/')).body).toMatchObject({count: 1, items: [{remaining_amount: 10}]})
  })

  test('an individual one is for one service, with its free amount once', async () => {
    const service = await newService({free_amount: 2.5})
    const {body} = await apply({service_id: service.id})
    expect(body).toMatchObject({type: 'Usage', scope: 'Individual', service_id: service.id, remaining_amount: 2.5})
    expect(body.service).toMatchObject({id: service.id, title: 'foo'})
    expect((await apply({service_id: service.id})).body.code).toBe('duplication')
  })

  test('a Period application has no time until a package gives it some', async () => {
    const {body} = await apply({service_id: chatServiceId, type: 'Period'})
    expect(new Date(body.expired_at).getTime()).toBeLessThanOrEqual(server.deps.now().getTime())
    expect(body.remaining_amount).toBe(0)
  })

  test.each([
    [{scope: 'Individual'}, 400, 'service_id'],
    [{scope: 'Global', service_id: chatServiceId}, 400, 'service_id'],
    [{service_id: '00000000-0000-4000-8000-000000000000'}, 404, undefined],
    [{scope: 'Global', user_id: '00000000-0000-4000-8000-000000000000'}, 404, undefined],
    [{scope: 'Global', remaining_amount: 1000}, 400, 'remaining_amount'],
    [{scope: 'Everything'}, 400, 'scope'],
    [{service_id: 'foo'}, 400, 'service_id'],
  ])('refuses %j', async (body, status, field) => {
    const answer = await apply(body)
    expect([answer.status, answer.body.field]).toEqual([status, field])
    expect((await call('GET', '/applications/')).body.count).toBe(0)
  })

  test('deleting and applying again brings the balance back, not new credits', async () => {
    const made = await applyGlobal()
    const ledger = createLedger()
    await asSystem(async (transaction) => {
      await ledger.hold(transaction, {
        applicationId: made.id,
        userId: person.user.id,
        amount: '4',
        reference: `answer:${made.id}`,
      })
      await ledger.settle(transaction, {reference: `answer:${made.id}`, amount: '4'})
    })
    const key = (await call('POST', '/credentials/', {body: {application_id: made.id}})).body
    expect((await call('DELETE', `/applications/${made.id}`)).status).toBe(204)
    expect((await call('GET', `/applications/${made.id}`)).status).toBe(404)
    expect((await call('DELETE', `/applications/${made.id}`)).status).toBe(404)
    expect((await call('GET', '/applications/')).body).toEqual({count: 0, items: []})
    expect((await call('POST', '/credentials/', {body: {application_id: made.id}})).status).toBe(404)
    expect((await call('GET', `/credentials/${key.id}`)).status).toBe(404)
    expect(await applyGlobal()).toMatchObject({id: made.id, remaining_amount: 6, used_amount: 4, credentials: []})
  })
})

describe('lists', () => {
  test('the four variants of the contract', async () => {
    const service = await newService()
    const general = await applyGlobal()
    const usage = (await apply({service_id: service.id})).body
    const period = (await apply({service_id: service.id, type: 'Period'})).body
    const other = (await apply({service_id: chatServiceId})).body
    const list = async (query: string) => {
      const {status, body} = await call('GET', `/applications/?user_id=${person.user.id}&${query}`)
      expect(status).toBe(200)
      return {count: body.count, ids: body.items.map((item: {id: string}) => item.id)}
    }
    const wallet = 'limit=100&offset=0&ordering=-created_at'
    expect(await list(`${wallet}&type=Usage&scope=Global`)).toEqual({count: 1, ids: [general.id]})
    expect(await list(`${wallet}&type=usage&scope=global`)).toEqual({count: 1, ids: [general.id]})
    expect((await list(`service_id=${service.id}`)).ids.sort()).toEqual([usage.id, period.id].sort())
    expect(await list(`limit=12&offset=2&ordering=-created_at`)).toMatchObject({count: 4, ids: {length: 2}})
    expect(await list(`${wallet}&service_id=${service.id}&type=Period`)).toEqual({count: 1, ids: [period.id]})
    expect((await list(`service_id=${service.id}&service_id=${chatServiceId}&type=Usage`)).ids.sort()).toEqual(
      [usage.id, other.id].sort(),
    )
    expect(await list('type=Usage&type=Period&scope=Individual&scope=Global')).toMatchObject({count: 4})
    expect(await list('service_id=foo')).toEqual({count: 0, ids: []})
  })

  test('newest first by default; by amount on request; pages do not overlap', async () => {
    for (const title of ['a', 'b', 'c']) {
      server.advance(1000)
      await apply({service_id: (await newService({title, free_amount: title.charCodeAt(0)})).id})
    }
    const amounts = async (query: string) =>
      (await call('GET', `/applications/?${query}`)).body.items.map(
        (item: {remaining_amount: number}) => item.remaining_amount,
      )
    expect(await amounts('')).toEqual([99, 98, 97])
    expect(await amounts('ordering=remaining_amount')).toEqual([97, 98, 99])
    expect([...(await amounts('limit=2')), ...(await amounts('limit=2&offset=2'))]).toEqual([99, 98, 97])
  })

  test('a foreign user_id finds nothing', async () => {
    await applyGlobal()
    const other = await server.createUser()
    const path = `/applications/?user_id=${person.user.id}`
    expect((await call('GET', path, {token: other.accessToken})).body).toEqual({count: 0, items: []})
    expect((await call('GET', path)).body.count).toBe(1)
  })

  test.each(['limit=101', 'ordering=user_id', 'ordering=constructor', 'type=Other', 'sort=up'])(
    'refuses ?%s by name',
    async (query) => {
      const {status, body} = await call('GET', `/applications/?${query}`)
      expect([status, body.field?.split('.')[0]]).toEqual([400, query.split('=')[0]])
    },
  )
})

describe('one application', () => {
  test('PUT takes the whole object back and changes nothing', async () => {
    const made = await applyGlobal()
    await call('POST', '/credentials/', {body: {application_id: made.id, host: testOrigin}})
    const {body: read} = await call('GET', `/applications/${made.id}`)
    expect((await call('PUT', `/applications/${made.id}`, {body: read})).body).toEqual(read)
  })

  test.each([
    ['remaining_amount', 1000],
    ['used_amount', -5],
    ['type', 'Period'],
    ['user_id', '00000000-0000-4000-8000-000000000000'],
    ['expired_at', '2099-01-01T00:00:00.000Z'],
    ['balance', 5],
  ])('PUT cannot set %s', async (key, value) => {
    const made = await applyGlobal()
    const {status, body} = await call('PUT', `/applications/${made.id}`, {body: {...made, [key]: value}})
    expect([status, body.field]).toEqual([400, key])
    expect((await call('GET', `/applications/${made.id}`)).body).toEqual(made)
  })

  test('amounts are numbers exact to six places', async () => {
    const made = await applyGlobal()
    const ledger = createLedger()
    await asSystem((transaction) =>
      ledger.hold(transaction, {
        applicationId: made.id,
        userId: person.user.id,
        amount: '0.000001',
        reference: `answer:${made.id}`,
      }),
    )
    expect((await call('GET', `/applications/${made.id}`)).body.remaining_amount).toBe(9.999999)
  })
})

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

  test('a browser key authenticates its application from its page, and its token is nowhere in the database', async () => {
    const {status, body} = await create({host: testOrigin})
    expect(status).toBe(201)
    expect(body.token).toMatch(/^sk-atrium-[\w-]{43}$/)
    expect(body).toMatchObject({type: 'Token', host: testOrigin, user_id: person.user.id})
    expect(await identify(body.token, testOrigin)).toMatchObject({
      userId: person.user.id,
      applicationId: body.application_id,
      credentialId: body.id,
    })
    expect(await identify(body.token, 'https://foreign.example')).toBeUndefined()
    const [row] = await asSystem((transaction) =>
      transaction.select().from(credentials).where(eq(credentials.id, body.id)),
    )
    expect(JSON.stringify(row)).not.toContain(body.token.slice(10))
    expect(row?.familyId).toBe(person.familyId)
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
    expect(await identify(old.token, testOrigin)).toBeDefined()
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
    const {tokens} = await issueTokens(server.deps, {userId: person.user.id, client: testOrigin})
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
    expect(await identify(body.token, undefined)).toBeDefined()
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
    expect(await identify(next.token, testOrigin)).toBeDefined()
  })

  test('an application has a bounded number of API keys', async () => {
    const {body} = await create({})
    await asSystem((transaction) =>
      transaction.insert(credentials).values(
        Array.from({length: 49}, (_, index) => ({
          userId: person.user.id,
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
})

test('a failing grant leaves no application behind', async () => {
  const broken = await createPlatform({config: {freeCredits: 'many'}})
  try {
    const someone = await broken.createUser()
    const {status} = await ask(broken, 'POST', '/applications/', {token: someone.accessToken, body: {scope: 'Global'}})
    expect(status).toBe(500)
    const rows = await broken.deps.database.asSystem((transaction) => transaction.select().from(applications))
    expect(rows).toEqual([])
  } finally {
    await broken.close()
  }
})
