import {finishOrderByHand, giveUpPayment, listOrders} from '#server/admin/orders.ts'
import {createOrderService} from '#server/orders/order-service.ts'
import {eq} from 'drizzle-orm'
import {orders, payments as paymentTable} from '#server/store/schema/orders.ts'
import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest'
import type {TestServer} from './harness.ts'
import {bought, createBuyer, createStripeShop, press, shopPayments} from './orders.fixtures.ts'
import type {StripePeer} from './stripe-peer.ts'

/* Payments that the payer has done and their bank has not: a bank debit takes days. */

let on: Awaited<ReturnType<typeof createStripeShop>>
let peer: StripePeer
let server: TestServer
let shop: typeof on.shop
let begin: typeof on.begin
let deliver: typeof on.deliver
beforeAll(async () => {
  on = await createStripeShop({orderMinutes: 5})
  ;({peer, shop, begin, deliver} = on)
  server = shop.server
})
afterAll(() => on.close())
beforeEach(() => {
  peer.state.isAway = false
})

/** Longer than an order can be paid, and than the sweep waits. */
const later = 11 * 60_000

/** A buyer whose bank works on the payment of an order. */
async function processing() {
  const buyer = await createBuyer(server)
  const order = await begin(buyer)
  peer.debit(order.session)
  const {body} = await buyer.refresh(order.id)
  expect([body.state, body.pay_ways]).toEqual(['Pending', []])
  expect(body.processing_at).toEqual(expect.any(String))
  return {buyer, ...order}
}

const asked = (id: string) => peer.requests.filter(({path}) => path.includes(id)).length

test('it neither expires nor offers another way, and is credited as paid in time when the bank has paid', async () => {
  const {buyer, id, session} = await processing()
  server.advance(later)
  await shop.service.payments.sweep()
  const waiting = (await buyer.refresh(id)).body
  expect([waiting.state, waiting.pay_ways, waiting.pay_url, waiting.expired_at]).toEqual([
    'Pending',
    [],
    undefined,
    undefined,
  ])
  expect((await buyer.send('GET', '/orders/?state=Pending')).body.count).toBe(1)
  expect((await buyer.send('GET', '/orders/?state=Expired')).body.count).toBe(0)
  peer.complete(session)
  server.advance(61_000)
  const {body} = await buyer.refresh(id)
  expect([body.state, body.overdue, body.processing_at]).toEqual(['Finished', undefined, undefined])
  expect(await bought(buyer)).toBe(100)
})

test('a debit that its payer has to confirm leads to the page for that, until it is confirmed', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  peer.debit(session, 'requires_action')
  const {body} = await buyer.refresh(id)
  expect([typeof body.processing_at, body.confirm_url]).toEqual(['string', peer.confirmPage(`pi_${session.id}`)])
  server.advance(61_000)
  expect((await buyer.refresh(id)).body.confirm_url).toBe(body.confirm_url)
  peer.debit(session)
  server.advance(61_000)
  const confirmed = (await buyer.refresh(id)).body
  expect([confirmed.processing_at, confirmed.confirm_url]).toEqual([body.processing_at, undefined])
})

test('it ends by webhook as well', async () => {
  const {buyer, id, session} = await processing()
  await deliver(
    peer.event('checkout.session.async_payment_succeeded', peer.complete(session), {at: server.deps.now().getTime()}),
  )
  expect((await buyer.orderRow(id))?.state).toBe('Finished')
})

test('a webhook alone says that the bank works on it, and that it declined', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  await deliver(peer.event('checkout.session.completed', peer.debit(session), {at: server.deps.now().getTime()}))
  expect((await buyer.orderRow(id))?.processingAt).not.toBeNull()
  await deliver(
    peer.event('checkout.session.async_payment_failed', peer.decline(session), {at: server.deps.now().getTime()}),
  )
  expect(await buyer.orderRow(id)).toMatchObject({state: 'Failed', processingAt: null})
  const again = (await buyer.pay(id, 'Stripe')).body
  expect(peer.sessionOf(again.pay_url).id).not.toBe(session.id)
  peer.complete(peer.sessionOf(again.pay_url))
  expect((await buyer.refresh(id)).body.state).toBe('Finished')
})

test('without webhooks a poll finds that the bank declined; an order whose time is over has expired then', async () => {
  const {buyer, id, session} = await processing()
  peer.decline(session)
  server.advance(later)
  await shop.service.payments.sweep()
  const {body} = await buyer.refresh(id)
  expect([body.state, body.opened_at, (await buyer.payments()).map(({state}) => state)]).toEqual([
    'Expired',
    undefined,
    ['declined'],
  ])
  expect(body.failed_at).toEqual(expect.any(String))
})

test.each(['Stripe', 'Sandbox'])(
  'paying it once more by %s begins nothing, and Stripe is not asked for it',
  async (way) => {
    const {buyer, id} = await processing()
    const before = peer.requests.length
    expect(await buyer.pay(id, way)).toEqual({
      status: 409,
      body: {code: 'conflict', detail: expect.any(String)},
      headers: expect.any(Headers),
    })
    expect([(await buyer.payments()).length, peer.requests.length]).toEqual([1, before])
  },
)

test.each(['Stripe', 'Sandbox'])('a page that was finished a moment ago is found when %s is pressed', async (way) => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  peer.debit(session)
  expect((await buyer.pay(id, way)).status).toBe(409)
  expect((await buyer.refresh(id)).body.processing_at).toEqual(expect.any(String))
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['open'])
})

test('it is not removed from the list while money may come', async () => {
  const {buyer, id} = await processing()
  expect(await buyer.send('DELETE', `/orders/${id}`)).toEqual({
    status: 409,
    body: {code: 'conflict', detail: expect.any(String)},
    headers: expect.any(Headers),
  })
  expect((await buyer.refresh(id)).status).toBe(200)
})

test('Stripe is asked about it once a minute by any number of tabs, and by the sweep every ten minutes', async () => {
  const {buyer, id, session} = await processing()
  onTestFinished(server.holdClock())
  server.advance(60_000)
  const before = asked(session.id)
  await Promise.all([1, 2, 3].map(() => buyer.refresh(id)))
  server.advance(59_000)
  await buyer.refresh(id)
  await shop.service.payments.sweep()
  expect(asked(session.id) - before).toBe(1)
  for (let minute = 0; minute < 30; minute += 1) {
    server.advance(60_000)
    await shop.service.payments.sweep()
  }
  expect(asked(session.id) - before).toBe(4)
})

test('without Stripe among the ways of payment it waits all the same', async () => {
  const {buyer, id} = await processing()
  const deps = {...server.deps, config: {...server.deps.config, payments: shopPayments()}}
  const {payments} = createOrderService(deps, {tools: []})
  server.advance(later)
  await payments.sweep()
  await payments.refresh((await buyer.orderRow(id))!)
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['open'])
  expect((await buyer.refresh(id)).body.state).toBe('Pending')
})

test('the operator lets an order go on that waits for a bank in vain; money that comes all the same is credited', async () => {
  const {buyer, id, session} = await processing()
  await giveUpPayment(server.deps.database, id, server.deps.now)
  const {body} = await buyer.refresh(id)
  expect([body.state, body.processing_at, body.pay_ways]).toEqual(['Pending', undefined, ['Stripe', 'Sandbox']])
  expect(body.unknown_payments).toBe(1)
  await expect(giveUpPayment(server.deps.database, id, server.deps.now)).rejects.toThrow('has no open payment')
  await deliver(
    peer.event('checkout.session.async_payment_succeeded', peer.complete(session), {at: server.deps.now().getTime()}),
  )
  const paid = (await buyer.refresh(id)).body
  expect([paid.state, paid.unknown_payments, await bought(buyer)]).toEqual(['Finished', undefined, 100])
})

test('a payment that was given up and that Stripe says was not paid is unknown no more', async () => {
  const {buyer, id, session} = await processing()
  await giveUpPayment(server.deps.database, id, server.deps.now)
  const [line] = await listOrders(server.deps.database, buyer.user.user.email, server.deps.now)
  expect(line).toContain(`(paid or not: $9.90, ${session.id})`)
  await deliver(
    peer.event('checkout.session.async_payment_failed', peer.decline(session), {at: server.deps.now().getTime()}),
  )
  const {body} = await buyer.refresh(id)
  expect([body.state, body.unknown_payments]).toEqual(['Pending', undefined])
})

test('the operator ends a page of payment that nobody can ask about; its order goes on', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  peer.sessions.delete(session.id)
  expect((await buyer.pay(id, 'Sandbox')).status).toBe(502)
  await giveUpPayment(server.deps.database, id, server.deps.now)
  expect((await buyer.pay(id, 'Sandbox')).status).toBe(200)
  expect((await buyer.payments()).map(({state, way}) => [way, state]).sort()).toEqual([
    ['Sandbox', 'open'],
    ['Stripe', 'closed'],
  ])
})

test('an order whose refusal a node of the version before entered can be paid again', async () => {
  const [left, waiting] = [await processing(), await processing()]
  await server.deps.database.asSystem(async (transaction) => {
    await transaction.update(paymentTable).set({state: 'declined'}).where(eq(paymentTable.orderId, left.id))
    await transaction.update(orders).set({state: 'Failed'}).where(eq(orders.id, left.id))
  })
  expect((await left.buyer.pay(left.id)).status).toBe(409)
  await shop.service.payments.sweep()
  expect((await left.buyer.pay(left.id)).status).toBe(200)
  expect((await waiting.buyer.orderRow(waiting.id))?.processingAt).not.toBeNull()
})

test('an order that the operator counts as paid meanwhile gives the bank’s money back', async () => {
  const {buyer, id, session} = await processing()
  await finishOrderByHand(server.deps, id)
  server.advance(later)
  await shop.service.payments.sweep()
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['open'])
  peer.complete(session)
  server.advance(later)
  await shop.service.payments.sweep()
  await shop.service.payments.sweep()
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['refunded'])
  expect(peer.refunded).toContain(`pi_${session.id}`)
  expect(await bought(buyer)).toBe(100)
})

test('an overdue order with a page that nobody could look at does not say that nothing was charged', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  peer.state.isAway = true
  server.advance(later)
  const unclear = (await buyer.refresh(id)).body
  expect([unclear.state, typeof unclear.opened_at, unclear.pay_url]).toEqual(['Expired', 'string', undefined])
  peer.state.isAway = false
  server.advance(6_000)
  const {body} = await buyer.refresh(id)
  expect([body.state, body.opened_at, session.status]).toEqual(['Expired', undefined, 'expired'])
})

test('a declined simulation is no bank that works', async () => {
  const buyer = await createBuyer(server)
  const {id} = await buyer.topUp()
  await press(server, (await buyer.pay(id)).body.pay_url, 'decline')
  expect((await buyer.refresh(id)).body).toMatchObject({state: 'Failed', pay_ways: ['Stripe', 'Sandbox']})
})
