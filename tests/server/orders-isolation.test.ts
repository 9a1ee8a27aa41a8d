import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import {issueTokens} from '#server/auth/tokens.ts'
import {orders, payments} from '#server/store/schema/orders.ts'
import {ask} from './platform.fixtures.ts'
import {testOrigin, type TestServer} from './harness.ts'
import {createBuyer, createShop, press, type Buyer} from './orders.fixtures.ts'

let server: TestServer
let owner: Buyer
let other: Buyer
beforeAll(async () => {
  ;({server} = await createShop())
  await server.createUser()
})
beforeEach(async () => {
  owner = await createBuyer(server)
  other = await createBuyer(server)
})
afterAll(() => server.close())

/** All calls about one order, as another user, another site or nobody would make them. */
const calls = (id: string): [string, string, object?][] => [
  ['GET', `/orders/${id}`],
  ['POST', `/orders/${id}/refresh/`],
  ['POST', `/orders/${id}/pay/`, {pay_way: 'Sandbox'}],
  ['DELETE', `/orders/${id}`],
]

test("another user's order is the same 404 as one that does not exist", async () => {
  const {id} = await owner.topUp()
  for (const [method, path, body] of calls(id)) {
    const foreign = await ask(server, method, path, {token: other.token, body})
    const missing = await ask(server, method, path.replace(id, crypto.randomUUID()), {token: other.token, body})
    expect([method, foreign.status, foreign.body]).toEqual([method, 404, missing.body])
    expect(foreign.body).toEqual({code: 'not_found', detail: 'There is nothing here, or it is not yours.'})
    expect((await ask(server, method, path, {body})).status).toBe(401)
  }
  expect((await other.send('GET', `/orders/?user_id=${owner.user.user.id}`)).body).toEqual({count: 0, items: []})
  expect((await owner.orderRow(id))?.state).toBe('Pending')
})

test("nothing can be ordered for another user's application", async () => {
  for (const body of [
    {application_id: owner.application.id, amount: 100},
    {application_ids: [owner.application.id], package_ids: [other.packageOf('Period', 120)]},
    {
      application_ids: [other.application.id, owner.application.id],
      package_ids: [other.packageOf('Period', 120)],
    },
  ])
    expect([body, (await other.order(body)).status]).toEqual([body, 404])
})

test('a site does not see orders of another, also of the same user', async () => {
  const {id} = await owner.topUp()
  const {tokens} = await issueTokens(server.deps, {userId: owner.user.user.id, client: 'https://foo.example'})
  const token = tokens.access_token
  for (const [method, path, body] of calls(id)) {
    const answer = await ask(server, method, path, {token, body})
    expect([method, answer.status]).toEqual([method, 404])
  }
  expect((await ask(server, 'GET', '/orders/', {token})).body).toEqual({count: 0, items: []})
  const made = await ask(server, 'POST', '/orders/', {
    token,
    body: {application_id: owner.application.id, amount: 7},
  })
  expect(made.status).toBe(201)
  expect((await ask(server, 'GET', '/orders/', {token})).body).toMatchObject({count: 1, items: [{amount: 7}]})
  expect((await owner.send('GET', `/orders/${made.body.id}`)).status).toBe(404)
  expect((await owner.orderRow(id))?.origin).toBe(testOrigin)
})

test('row-level security and the rights of requests keep both tables', async () => {
  const {id} = await owner.topUp()
  await owner.pay(id)
  const {asUser} = server.deps.database
  const ownId = owner.user.user.id
  expect(await asUser(other.user.user.id, (transaction) => transaction.select().from(orders))).toEqual([])
  expect(await asUser(other.user.user.id, (transaction) => transaction.select().from(payments))).toEqual([])
  const forbidden = [
    sql`update orders set state = 'Paid'`,
    sql`delete from orders`,
    sql`update payments set state = 'paid'`,
    sql`delete from payments`,
    sql`insert into payments (user_id, order_id, way, amount, title, return_url, locale, base_url, expires_at)
      values (${ownId}, ${id}, 'Sandbox', 1, 'foo', 'foo', 'en', 'foo', now())`,
  ]
  for (const statement of forbidden)
    await expect(asUser(ownId, (transaction) => transaction.execute(statement))).rejects.toHaveProperty(
      'cause.code',
      '42501',
    )
  const insert = (state: string, userId: string) =>
    asUser(ownId, (transaction) =>
      transaction.execute(sql`insert into orders
        (user_id, origin, state, price, items, application_ids, package_ids, expires_at)
        values (${userId}, 'foo', ${state}, 0, '[]', '{}', '{}', now())`),
    )
  await expect(insert('Paid', ownId)).rejects.toMatchObject({cause: {message: expect.stringContaining('is Pending')}})
  await expect(insert('Pending', other.user.user.id)).rejects.toHaveProperty('cause.code', '42501')
})

test('the database lets no order and no payment go back, and nothing change what was agreed', async () => {
  const {id} = await owner.topUp()
  await press(server, (await owner.pay(id)).body.pay_url, 'pay')
  const {asSystem} = server.deps.database
  const run = (statement: ReturnType<typeof sql>) => asSystem((transaction) => transaction.execute(statement))
  for (const state of ['Pending', 'Paid', 'Failed', 'Expired'])
    await expect(run(sql`update orders set state = ${state} where id = ${id}`)).rejects.toMatchObject({
      cause: {message: `An order does not go from Finished to ${state}`},
    })
  for (const state of ['opening', 'open', 'closed', 'declined', 'surplus', 'refunded'])
    await expect(run(sql`update payments set state = ${state} where order_id = ${id}`)).rejects.toMatchObject({
      cause: {message: `A payment does not go from paid to ${state}`},
    })
  for (const change of [sql`price = 1`, sql`items = '[]'`, sql`origin = 'foo'`, sql`user_id = ${other.user.user.id}`])
    await expect(run(sql`update orders set ${change} where id = ${id}`)).rejects.toHaveProperty(
      'cause.message',
      'An order keeps its price, items, owner and site',
    )
})
