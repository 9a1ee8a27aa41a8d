import {randomUUID} from 'node:crypto'
import {eq, inArray} from 'drizzle-orm'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {chargeOf} from '#domain/order-state.ts'
import {createOrderService} from '#server/orders/order-service.ts'
import {orders, payments} from '#server/store/schema/orders.ts'
import {testOrigin, type TestServer} from './harness.ts'
import {createBuyer, createStripeShop, day, shopPayments, viewOf, type Buyer} from './orders.fixtures.ts'
import type {StripePeer} from './stripe-peer.ts'
import {eventually} from '../eventually.ts'

/* The sweep takes a bounded number of orders and payments in a turn; each comes to its turn. */

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

/** Returns the facts about its end and its money on the page of an order. */
async function saidOf(buyer: Buyer, id: string) {
  const view = await viewOf(shop, buyer, id)
  return [view.state, chargeOf(view)]
}

/** Orders of ten minutes ago with open payments that Stripe knows nothing of: asking about them fails each time. */
async function insertLostPayments(buyer: Buyer, count: number, expiresAt: Date) {
  const {database, now} = server.deps
  const userId = buyer.user.user.id
  const longAgo = new Date(now().getTime() - 10 * 60_000)
  const times = {expiresAt, createdAt: longAgo, updatedAt: longAgo}
  const ids = Array.from({length: count}, () => randomUUID())
  const sold = {userId, ...times, origin: testOrigin, price: 990, items: [], applicationIds: [], packageIds: []}
  const page = {title: 'foo', returnUrl: testOrigin, locale: 'en', baseUrl: testOrigin}
  const payment = {userId, ...times, ...page, way: 'Stripe', state: 'open', amount: 990} as const
  await database.asSystem(async (transaction) => {
    await transaction.insert(orders).values(ids.map((id) => ({...sold, id})))
    await transaction
      .insert(payments)
      .values(ids.map((orderId) => ({...payment, orderId, reference: `cs_lost_${orderId}`})))
  })
  return {
    /** How many of them Stripe was asked about. */
    asked: () => new Set(peer.requests.flatMap(({path}) => ids.find((id) => path.includes(id)) ?? [])).size,
    remove: () => database.asSystem((transaction) => transaction.delete(orders).where(inArray(orders.id, ids))),
  }
}

test('payments that Stripe knows nothing of do not keep the sweep from the younger ones', async () => {
  const buyer = await createBuyer(server)
  const lost = await insertLostPayments(buyer, 110, new Date(server.deps.now().getTime() + day))
  const {id} = await buyer.topUp(100)
  peer.complete(peer.sessionOf((await buyer.pay(id, 'Stripe')).body.pay_url))
  server.advance(61_000)
  await shop.service.payments.sweep()
  expect([lost.asked(), (await buyer.orderRow(id))?.state]).toEqual([50, 'Pending'])
  await shop.service.payments.sweep()
  await shop.service.payments.sweep()
  expect([lost.asked(), (await buyer.orderRow(id))?.state]).toEqual([110, 'Finished'])
  // none is asked about twice within a minute; after it they take turns again
  const before = peer.requests.length
  await shop.service.payments.sweep()
  expect(peer.requests.length).toBe(before)
  server.advance(61_000)
  await shop.service.payments.sweep()
  expect(peer.requests.length).toBeGreaterThan(before)
  await lost.remove()
})

test('orders that cannot be settled do not keep the sweep from the others', async () => {
  const buyer = await createBuyer(server)
  const lost = await insertLostPayments(buyer, 60, server.deps.now())
  peer.state.isBrokenFor = (path) => path.includes('cs_lost_')
  const {id} = await buyer.topUp(100)
  server.advance(61 * 60_000)
  await shop.service.payments.sweep()
  await shop.service.payments.sweep()
  expect((await buyer.orderRow(id))?.state).toBe('Expired')
  peer.state.isBrokenFor = () => false
  await lost.remove()
})

test('an order whose payment Stripe does not know ends with its time, and is an error in the log once', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await on.begin(buyer)
  // keys of another account, or of the real mode after those for tests
  peer.sessions.delete(session.id)
  expect((await buyer.pay(id, 'Sandbox')).status, 'its page may be open at the other account').toBe(502)
  const before = server.logged.length
  server.advance(61 * 60_000)
  for (let turn = 0; turn < 3; turn += 1) {
    await shop.service.payments.sweep()
    server.advance(61_000)
  }
  expect([(await buyer.orderRow(id))?.state, (await buyer.payments()).map(({state}) => state)]).toEqual([
    'Expired',
    ['closed'],
  ])
  const errors = server.logged.slice(before).filter(({level}) => level === 'error')
  expect(errors).toEqual([
    {
      fields: {order: id, reference: session.id, reason: 'provider', payment: expect.any(String)},
      level: 'error',
      message: 'nobody knows whether a payment was paid',
    },
  ])
  expect(await saidOf(buyer, id)).toEqual(['Expired', 'unknown'])
})

test('an order whose way of payment is gone does not say that nothing was charged; one of the simulation does', async () => {
  const buyer = await createBuyer(server)
  const {id} = await on.begin(buyer)
  const {id: simulated} = await buyer.topUp(100)
  await buyer.pay(simulated, 'Sandbox')
  server.advance(61 * 60_000)
  const config = {...server.deps.config, payments: shopPayments({sandbox: false})}
  const {payments: rest} = createOrderService({...server.deps, config}, {tools: []})
  await rest.sweep()
  expect([await saidOf(buyer, id), await saidOf(buyer, simulated)]).toEqual([
    ['Expired', 'unknown'],
    ['Expired', 'none'],
  ])
})

test('payments whose provider hangs keep neither credits nor money that goes back waiting', async () => {
  const buyer = await createBuyer(server)
  const lost = await insertLostPayments(buyer, 12, new Date(server.deps.now().getTime() + day))
  const booked = await buyer.topUp(100)
  await server.deps.database.asSystem((transaction) =>
    transaction.update(orders).set({state: 'Paid', paidAt: server.deps.now()}).where(eq(orders.id, booked.id)),
  )
  const {id, session} = await on.begin(buyer)
  Object.assign(peer.complete(session), {amount_total: 1})
  await buyer.refresh(id)
  let hanging = 0
  let most = 0
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  peer.state.beforeWork = async (path) => {
    if (!path.includes('cs_lost_')) return
    hanging += 1
    most = Math.max(most, hanging)
    await held
    hanging -= 1
  }
  server.advance(61_000)
  const turn = shop.service.payments.sweep()
  await eventually(() => expect(hanging).toBe(5))
  expect((await buyer.orderRow(booked.id))?.state).toBe('Finished')
  await eventually(() => expect(peer.refunded).toContain(`pi_${session.id}`))
  release()
  await turn
  expect(most).toBe(5)
  peer.state.beforeWork = undefined
  await lost.remove()
})
