import {randomUUID} from 'node:crypto'
import {eq, sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {
  distributionHistoryPage,
  distributionLevelPage,
  distributionStatusPage,
  shortUrl,
} from '#contract/distribution.ts'
import {bookReward} from '#server/distribution/rewards.ts'
import {createPageServer} from '#server/http/page.ts'
import {users} from '#server/store/schema/people.ts'
import {platformRoutes} from '#server/platform/platform.routes.ts'
import {createTestServer, testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, catalogue} from './platform.fixtures.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({
    routes: (deps) => platformRoutes(deps, catalogue),
    handler: async (deps) => {
      const {createRouter} = await import('#server/http/router.ts')
      const {createAuthenticate} = await import('#server/auth/authenticate.ts')
      const files = {
        serve: async () => undefined,
        indexHtml: '<html><head></head></html>',
        messagesPath: () => undefined,
        assets: () => [],
      }
      return createRouter(deps, {
        routes: platformRoutes(deps, catalogue),
        authenticate: createAuthenticate(deps),
        servePage: createPageServer(deps, files),
      })
    },
  })
  await server.createUser()
})
afterAll(() => server.close())

const get = (user: TestUser, path: string) => ask(server, 'GET', path, {token: user.accessToken})
const initialize = async (user: TestUser) =>
  (await ask(server, 'POST', '/distribution-statuses/initialize/', {token: user.accessToken})).body
/** Books an order of so many cents. */
const pay = (userId: string, price: number, id: string = randomUUID()) =>
  server.deps.database.asSystem((transaction) => bookReward(server.deps, transaction, {id, userId, price}))
const inviteBy = (inviter: TestUser) => server.createUser({inviters: [inviter.user.id]})

describe('rewards', () => {
  test('come from paid orders of invitees, at the level of the moment, and sum up', async () => {
    const inviter = await server.createUser()
    const [anna, bert] = [await inviteBy(inviter), await inviteBy(inviter)]
    expect(await initialize(inviter)).toEqual({
      price: 0,
      reward: 0,
      percentage: 10,
      level: {level: 1, id: expect.any(String), threshold: 0, percentage: 10},
      id: expect.any(String),
      user_id: expect.any(String),
      level_id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    await pay(anna.user.id, 9999)
    await pay(bert.user.id, 5)
    expect(await initialize(inviter)).toEqual({
      price: 100.04,
      reward: 10.004,
      percentage: 15,
      level: {level: 2, id: expect.any(String), threshold: 100, percentage: 15},
      id: expect.any(String),
      user_id: expect.any(String),
      level_id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    await pay(bert.user.id, 1000)
    const {body} = await get(inviter, '/distribution-statuses/')
    expect(distributionStatusPage.safeParse(body).success).toBe(true)
    expect(body).toEqual({
      count: 1,
      items: [
        {
          user_id: inviter.user.id,
          price: 110.04,
          reward: 11.504,
          id: expect.any(String),
          level_id: expect.any(String),
          level: {id: expect.any(String), level: 2, threshold: 100, percentage: 15},
          percentage: 15,
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
      ],
    })
    const histories = (await get(inviter, '/distribution-histories/?ordering=-price&limit=10&offset=0')).body
    expect(distributionHistoryPage.safeParse(histories).success).toBe(true)
    expect(histories.items).toEqual([
      {
        invitee_id: anna.user.id,
        price: 99.99,
        reward: 9.999,
        percentage: 10,
        id: expect.any(String),
        user_id: expect.any(String),
        order_id: expect.any(String),
        created_at: expect.any(String),
      },
      {
        invitee_id: bert.user.id,
        price: 10,
        reward: 1.5,
        percentage: 15,
        id: expect.any(String),
        user_id: expect.any(String),
        order_id: expect.any(String),
        created_at: expect.any(String),
      },
      {
        invitee_id: bert.user.id,
        price: 0.05,
        reward: 0.005,
        percentage: 10,
        id: expect.any(String),
        user_id: expect.any(String),
        order_id: expect.any(String),
        created_at: expect.any(String),
      },
    ])
  })

  test('an order brings one reward, however often and however many at once book it', async () => {
    const inviter = await server.createUser()
    const buyer = await inviteBy(inviter)
    const id = randomUUID()
    await Promise.all(Array.from({length: 5}, () => pay(buyer.user.id, 1000, id)))
    await Promise.all(Array.from({length: 5}, () => pay(buyer.user.id, 100)))
    expect(await initialize(inviter)).toMatchObject({price: 15, reward: 1.5})
  })

  test('a booking that is undone brings nothing', async () => {
    const inviter = await server.createUser()
    const buyer = await inviteBy(inviter)
    const undone = server.deps.database.asSystem(async (transaction) => {
      await bookReward(server.deps, transaction, {id: randomUUID(), userId: buyer.user.id, price: 1000})
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect((await get(inviter, '/distribution-statuses/')).body).toEqual({count: 0, items: []})
  })

  test('nobody gets one for a buyer without an inviter, a free order, or an inviter who is gone', async () => {
    const inviter = await server.createUser()
    const buyer = await inviteBy(inviter)
    await pay((await server.createUser()).user.id, 1000)
    await pay(buyer.user.id, 0)
    expect(await initialize(inviter)).toMatchObject({price: 0, reward: 0})
    await server.deps.database.asSystem((transaction) =>
      transaction.update(users).set({deletedAt: server.deps.now()}).where(eq(users.id, inviter.user.id)),
    )
    await pay(buyer.user.id, 1000)
    expect((await get(inviter, '/distribution-histories/')).body.count).toBe(0)
    expect((await inviteBy(inviter)).user.inviterId).toBeNull()
  })

  test('are nobody else’s to see, and nobody’s to write', async () => {
    const [inviter, other] = [await server.createUser(), await server.createUser()]
    const buyer = await inviteBy(inviter)
    await pay(buyer.user.id, 1000)
    for (const user of [other, buyer])
      for (const path of ['/distribution-statuses/', '/distribution-histories/']) {
        expect((await get(user, path)).body).toEqual({count: 0, items: []})
        expect((await get(user, `${path}?user_id=${inviter.user.id}`)).body).toEqual({count: 0, items: []})
      }
    for (const change of [
      sql`insert into distribution_rewards (user_id, invitee_id, order_id, price, reward, percentage)
        values (${inviter.user.id}, ${buyer.user.id}, ${randomUUID()}, 1, 1, 100)`,
      sql`update distribution_statuses set reward = 1000`,
      sql`delete from distribution_rewards`,
    ]) {
      const attempt = server.deps.database.asUser(inviter.user.id, (transaction) => transaction.execute(change))
      await expect(attempt).rejects.toHaveProperty('cause.code', '42501')
    }
  })
})

test('initializing is idempotent, also many times at once', async () => {
  const user = await server.createUser()
  const made = await Promise.all(Array.from({length: 5}, () => initialize(user)))
  expect(new Set(made.map(({id}) => id)).size).toBe(1)
})

test('levels are listed in the order that is asked for', async () => {
  const user = await server.createUser()
  const {body} = await get(user, '/distribution-levels/?limit=20&ordering=level')
  expect(distributionLevelPage.safeParse(body).success).toBe(true)
  expect(body).toEqual({
    count: 2,
    items: [
      {level: 1, threshold: 0, percentage: 10, id: expect.any(String)},
      {level: 2, threshold: 100, percentage: 15, id: expect.any(String)},
    ],
  })
  expect((await get(user, '/distribution-levels/?ordering=-level&limit=1')).body.items).toEqual([body.items[1]])
  expect((await get(user, '/distribution-levels/?ordering=foo')).body.field).toBe('ordering')
})

describe('short links', () => {
  const shorten = (user: TestUser, content: string) =>
    ask(server, 'POST', '/shorturl', {token: user.accessToken, body: {content}})

  test('lead to the page they were made for, on the same origin, and are the same for the same address', async () => {
    const user = await server.createUser()
    const content = `${testOrigin}/?inviter_id=${user.user.id}`
    const {status, body} = await shorten(user, content)
    expect(status).toBe(200)
    const {data} = shortUrl.parse(body)
    expect(data.url).toMatch(new RegExp(`^${testOrigin}/s/[A-Za-z0-9_-]{16}$`))
    expect((await shorten(user, content)).body).toEqual(body)
    const response = await server.handle(new Request(data.url))
    expect([response.status, response.headers.get('location')]).toEqual([302, `/?inviter_id=${user.user.id}`])
    expect((await shorten(await server.createUser(), content)).body.data.url).not.toBe(data.url)
    const unknown = await server.handle(new Request(`${testOrigin}/s/${'A'.repeat(16)}`))
    expect([unknown.status, unknown.headers.get('location')]).toEqual([200, null])
  })

  test.each([
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    `${testOrigin}@evil.example/`,
    `${testOrigin}//evil.example`,
    `${testOrigin}/..//evil.example`,
    `${testOrigin}/\\evil.example`,
    `${testOrigin}/auth/login`,
    '/foo',
    'foo',
  ])('are not made for %s', async (content) => {
    const {status, body} = await shorten(await server.createUser(), content)
    expect([status, body.field]).toEqual([400, 'content'])
  })

  test('are bounded for each user', async () => {
    const user = await server.createUser()
    for (let index = 0; index < 50; index += 1) await shorten(user, `${testOrigin}/?n=${index}`)
    expect((await shorten(user, `${testOrigin}/?n=50`)).status).toBe(429)
    expect((await shorten(user, `${testOrigin}/?n=49`)).status).toBe(200)
  })
})
