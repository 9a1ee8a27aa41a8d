import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {chatServiceId} from '#contract/chat.ts'
import {application as applicationSchema} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import {holdCredits, settleCredits} from '#server/ledger/ledger.ts'
import {ledgerEntries} from '#server/store/schema/credits.ts'
import {applications} from '#server/store/schema/platform.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, createPlatform} from './platform.fixtures.ts'

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
const apply = (body: object) => call('POST', '/applications/', {body})
const applyGlobal = async () => (await apply({type: 'Usage', scope: 'Global', user_id: user.user.id})).body
const newService = async (body: object = {}) =>
  (await ask(server, 'POST', '/services/', {token: operator.accessToken, body: {title: 'foo', ...body}})).body
const asSystem: TestServer['deps']['database']['asSystem'] = (work) => server.deps.database.asSystem(work)

describe('applying', () => {
  test('gives the general application with the free credits, granted through the ledger', async () => {
    const {status, body} = await apply({type: 'Usage', scope: 'Global', user_id: user.user.id})
    expect(status).toBe(201)
    expect(body).toEqual({
      type: 'Usage',
      scope: 'Global',
      user_id: user.user.id,
      remaining_amount: 10,
      used_amount: 0,
      packages: [],
      credentials: [],
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
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
    expect((await call('GET', '/applications/')).body).toEqual({
      count: 1,
      items: [
        {
          remaining_amount: 10,
          id: expect.any(String),
          type: 'Usage',
          scope: 'Global',
          user_id: expect.any(String),
          used_amount: 0,
          created_at: expect.any(String),
          updated_at: expect.any(String),
          credentials: [],
        },
      ],
    })
  })

  test('an individual one is for one service, with its free amount once', async () => {
    const service = await newService({free_amount: 2.5})
    const {body} = await apply({service_id: service.id})
    expect(body).toMatchObject({type: 'Usage', scope: 'Individual', service_id: service.id, remaining_amount: 2.5})
    expect(body.service).toEqual({
      id: service.id,
      title: 'foo',
      unit: 'Credit',
      price: 0,
      free_amount: 2.5,
      tags: [],
      metadata: {},
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
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
    await asSystem(async (transaction) => {
      await holdCredits(transaction, {
        applicationId: made.id,
        userId: user.user.id,
        amount: '4',
        reference: `answer:${made.id}`,
      })
      await settleCredits(transaction, {reference: `answer:${made.id}`, amount: '4'})
    })
    const key = (await call('POST', '/credentials/', {body: {application_id: made.id}})).body
    expect((await call('DELETE', `/applications/${made.id}`)).status).toBe(204)
    expect((await call('GET', `/applications/${made.id}`)).status).toBe(404)
    expect((await call('DELETE', `/applications/${made.id}`)).status).toBe(404)
    expect((await call('GET', '/applications/')).body).toEqual({count: 0, items: []})
    expect((await call('POST', '/credentials/', {body: {application_id: made.id}})).status).toBe(404)
    expect((await call('GET', `/credentials/${key.id}`)).status).toBe(404)
    expect(await applyGlobal()).toEqual({
      id: made.id,
      remaining_amount: 6,
      used_amount: 4,
      credentials: [],
      type: 'Usage',
      scope: 'Global',
      user_id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      packages: [],
    })
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
      const {status, body} = await call('GET', `/applications/?user_id=${user.user.id}&${query}`)
      expect(status).toBe(200)
      return {count: body.count, ids: body.items.map((item: {id: string}) => item.id)}
    }
    const wallet = 'limit=100&offset=0&ordering=-created_at'
    expect(await list(`${wallet}&type=Usage&scope=Global`)).toEqual({count: 1, ids: [general.id]})
    expect(await list(`${wallet}&type=usage&scope=global`)).toEqual({count: 1, ids: [general.id]})
    expect(await list(`limit=12&offset=2&ordering=-created_at`)).toMatchObject({count: 3, ids: {length: 1}})
    expect(await list(`${wallet}&service_id=${service.id}&type=Period`)).toEqual({count: 1, ids: [period.id]})
    expect((await list(`service_id=${service.id}&service_id=${chatServiceId}&type=Usage`)).ids.sort()).toEqual(
      [usage.id, other.id].sort(),
    )
    expect(await list('type=Usage&type=Period&scope=Individual&scope=Global')).toEqual({
      count: 4,
      ids: [expect.any(String), expect.any(String), expect.any(String), expect.any(String)],
    })
    expect(await list('service_id=foo')).toEqual({count: 0, ids: []})
  })

  test('an application that never had a plan is found for an order and shown nowhere', async () => {
    const usage = await applyGlobal()
    const {id} = (await apply({scope: 'Global', type: 'Period'})).body
    const ids = async (query: string) =>
      (await call('GET', `/applications/?${query}`)).body.items.map((item: {id: string}) => item.id)
    expect([await ids(''), await ids('type=Period'), await ids('scope=Global')]).toEqual([[usage.id], [], [usage.id]])
    expect(await ids('type=Period&scope=Global')).toEqual([id])
    await asSystem((transaction) =>
      transaction
        .update(applications)
        .set({expiredAt: new Date(server.deps.now().getTime() + 1000)})
        .where(eq(applications.id, id)),
    )
    server.advance(2000)
    expect([await ids('type=Period'), (await ids('')).length]).toEqual([[id], 2])
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
    const path = `/applications/?user_id=${user.user.id}`
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

  test('amounts are numbers exact to six decimals', async () => {
    const made = await applyGlobal()
    await asSystem((transaction) =>
      holdCredits(transaction, {
        applicationId: made.id,
        userId: user.user.id,
        amount: '0.000001',
        reference: `answer:${made.id}`,
      }),
    )
    expect((await call('GET', `/applications/${made.id}`)).body.remaining_amount).toBe(9.999999)
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
