import {eq, sql} from 'drizzle-orm'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {finishOrderByHand} from '#server/admin/orders.ts'
import {distributionRewards} from '#server/store/schema/distribution.ts'
import {users} from '#server/store/schema/people.ts'
import type {TestServer, TestUser} from './harness.ts'
import {bought, createBuyer, createStripeShop, press} from './orders.fixtures.ts'
import {ask} from './platform.fixtures.ts'
import type {StripePeer} from './stripe-peer.ts'

/* An order brings the inviter of its buyer a reward: from the order to what the inviter sees. */

let on: Awaited<ReturnType<typeof createStripeShop>>
let peer: StripePeer
let server: TestServer
let shop: typeof on.shop
beforeAll(async () => {
  on = await createStripeShop()
  ;({peer, shop} = on)
  server = shop.server
})
afterAll(() => on.close())

const createPair = async () => {
  const inviter = await server.createUser()
  const buyer = await createBuyer(server, await server.createUser({inviters: [inviter.user.id]}))
  return {inviter, buyer}
}
const get = async (user: TestUser, path: string) =>
  (await ask(server, 'GET', path, {token: user.accessToken})).body.items
/** The standing of an inviter, of whom these tests know neither ids nor times. */
const standing = {
  ...{id: expect.any(String), user_id: expect.any(String), level_id: expect.any(String)},
  ...{created_at: expect.any(String), updated_at: expect.any(String)},
}
const firstLevel = {id: expect.any(String), level: 1, threshold: 0, percentage: 10}
const secondLevel = {id: expect.any(String), level: 2, threshold: 100, percentage: 15}
const statusOf = async (user: TestUser) => (await get(user, '/distribution-statuses/'))[0]
const historyOf = (user: TestUser) => get(user, '/distribution-histories/?ordering=created_at')
/** The rows as the database has them: exact decimals. */
const rewardsOf = ({user}: TestUser) =>
  server.deps.database.asSystem((transaction) =>
    transaction
      .select({price: distributionRewards.price, reward: distributionRewards.reward})
      .from(distributionRewards)
      .where(eq(distributionRewards.userId, user.id))
      .orderBy(distributionRewards.createdAt),
  )

test('a paid order changes status, history and level of the inviter by its exact amount', async () => {
  const {inviter, buyer} = await createPair()
  const buy = async (amount: number) => {
    const {id} = await buyer.topUp(amount)
    await press(server, (await buyer.pay(id)).body.pay_url, 'pay')
    server.advance(1000)
    return id
  }
  const unpaid = await buyer.topUp(454)
  await buyer.pay(unpaid.id)
  expect(await statusOf(inviter)).toBeUndefined()
  const ids = [await buy(454)]
  expect(await statusOf(inviter)).toEqual({...standing, price: 44.95, reward: 4.495, percentage: 10, level: firstLevel})
  ids.push(await buy(1000))
  expect(await statusOf(inviter)).toEqual({
    ...standing,
    price: 134.95,
    reward: 13.495,
    percentage: 15,
    level: secondLevel,
  })
  ids.push(await buy(1))
  expect(await statusOf(inviter)).toEqual({
    ...standing,
    price: 135.05,
    reward: 13.51,
    percentage: 15,
    level: secondLevel,
  })
  expect(await historyOf(inviter)).toEqual([
    {
      order_id: ids[0],
      invitee_id: buyer.user.user.id,
      price: 44.95,
      reward: 4.495,
      percentage: 10,
      id: expect.any(String),
      user_id: expect.any(String),
      created_at: expect.any(String),
    },
    {
      order_id: ids[1],
      invitee_id: buyer.user.user.id,
      price: 90,
      reward: 9,
      percentage: 10,
      id: expect.any(String),
      user_id: expect.any(String),
      created_at: expect.any(String),
    },
    {
      order_id: ids[2],
      invitee_id: buyer.user.user.id,
      price: 0.1,
      reward: 0.015,
      percentage: 15,
      id: expect.any(String),
      user_id: expect.any(String),
      created_at: expect.any(String),
    },
  ])
  expect(await rewardsOf(inviter)).toEqual([
    {price: '44.950000', reward: '4.495000'},
    {price: '90.000000', reward: '9.000000'},
    {price: '0.100000', reward: '0.015000'},
  ])
  expect(await historyOf(buyer.user)).toEqual([])
})

test('webhooks that are replayed and race with polls bring one reward', async () => {
  const {inviter, buyer} = await createPair()
  const {id} = await buyer.topUp(100)
  const session = peer.sessionOf((await buyer.pay(id, 'Stripe')).body.pay_url)
  const event = on.completed(session)
  const deliver = () => on.deliver(event)
  await Promise.all([1, 2, 3, 4].flatMap(() => [deliver(), buyer.refresh(id), shop.service.payments.sweep()]))
  expect((await deliver()).status).toBe(200)
  expect(await bought(buyer)).toBe(100)
  expect(await rewardsOf(inviter)).toEqual([{price: '9.900000', reward: '0.990000'}])
  expect(await statusOf(inviter)).toEqual({...standing, price: 9.9, reward: 0.99, percentage: 10, level: firstLevel})
})

test('orders of several invitees at once all count', async () => {
  const {inviter, buyer} = await createPair()
  const other = await createBuyer(server, await server.createUser({inviters: [inviter.user.id]}))
  const pages = await Promise.all(
    [buyer, other, buyer, other].map(async (user) => {
      const {id} = await user.topUp(100)
      return (await user.pay(id)).body.pay_url as string
    }),
  )
  await Promise.all(pages.flatMap((url) => [press(server, url, 'pay'), press(server, url, 'pay')]))
  expect(await statusOf(inviter)).toEqual({...standing, price: 39.6, reward: 3.96, percentage: 10, level: firstLevel})
  expect(await rewardsOf(inviter)).toHaveLength(4)
})

test('an order that the operator finishes brings a reward; the payment that goes back changes nothing', async () => {
  const {inviter, buyer} = await createPair()
  const {id} = await buyer.topUp(100)
  const {pay_url: url} = (await buyer.pay(id)).body
  await finishOrderByHand(server.deps, id)
  await press(server, url, 'pay')
  await shop.service.payments.sweep()
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['refunded'])
  expect(await rewardsOf(inviter)).toEqual([{price: '9.900000', reward: '0.990000'}])
})

test('credits and reward are there together or not at all', async () => {
  const {inviter, buyer} = await createPair()
  const {id} = await buyer.topUp(100)
  const {pay_url: url} = (await buyer.pay(id)).body
  const run = (statement: string) => server.deps.database.pool.query(statement)
  await run(`create function refuse_rewards() returns trigger language plpgsql as $$
    begin raise exception 'no room'; end $$`)
  await run(
    'create trigger refuse before insert on distribution_rewards for each row execute function refuse_rewards()',
  )
  try {
    await press(server, url, 'pay')
    expect((await buyer.orderRow(id))?.state).toBe('Paid')
    expect(await bought(buyer)).toBe(0)
  } finally {
    await run('drop trigger refuse on distribution_rewards')
    await run('drop function refuse_rewards')
  }
  await shop.service.payments.sweep()
  expect((await buyer.orderRow(id))?.state).toBe('Finished')
  expect(await bought(buyer)).toBe(100)
  expect(await rewardsOf(inviter)).toEqual([{price: '9.900000', reward: '0.990000'}])
})

test('a free order brings nothing', async () => {
  const {inviter, buyer} = await createPair()
  const {body} = await buyer.order({application_id: buyer.application.id, package_id: buyer.packageOf('Usage', 5)})
  expect([body.state, body.price]).toEqual(['Finished', 0])
  expect(await bought(buyer)).toBe(5)
  expect([await statusOf(inviter), await historyOf(inviter)]).toEqual([undefined, []])
})

test('nobody invites themself', async () => {
  const {buyer} = await createPair()
  const {id} = buyer.user.user
  const change = server.deps.database.asSystem((transaction) =>
    transaction
      .update(users)
      .set({inviterId: sql`${users.id}`})
      .where(eq(users.id, id)),
  )
  await expect(change).rejects.toMatchObject({cause: {code: '23514', constraint: 'users_inviter_other'}})
  const {id: order} = await buyer.topUp(100)
  await press(server, (await buyer.pay(order)).body.pay_url, 'pay')
  expect([await statusOf(buyer.user), await historyOf(buyer.user)]).toEqual([undefined, []])
})
