import {listOrders, settleRefunds} from '#server/admin/orders.ts'
import {eq} from 'drizzle-orm'
import {payments} from '#server/store/schema/orders.ts'
import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest'
import type {TestServer} from './harness.ts'
import {createBuyer, createStripeShop, day, viewOf, type Buyer} from './orders.fixtures.ts'
import type {StripePeer} from './stripe-peer.ts'

/* Money that was given back may fail to arrive days later: the order says so, and the operator pays in another way. */

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
beforeEach(() => {
  peer.state.refund = 'succeeded'
  peer.state.isAway = false
})

const sweep = () => shop.service.payments.sweep()
const asked = (name: string) => peer.requests.filter(({path}) => path === `/v1/refunds/${name}`).length
const errorsSince = (before: number) => server.logged.slice(before).filter(({level}) => level === 'error')

/** Returns the order's facts about its money. */
async function seenBy(buyer: Buyer, id: string) {
  const {
    surplus_payments: all,
    mismatched_payments: mismatched,
    failed_refunds: failed,
    settled_refunds: settled,
  } = await viewOf(shop, buyer, id)
  return {all, mismatched, failed, settled}
}

/** A buyer to whom money of another amount was given back; `refund` is what Stripe has of it. */
async function givenBack(status: typeof peer.state.refund = 'pending') {
  onTestFinished(server.holdClock())
  const buyer = await createBuyer(server)
  const {id, session} = await on.begin(buyer)
  Object.assign(peer.complete(session), {amount_total: 1})
  await buyer.refresh(id)
  peer.state.refund = status
  await sweep()
  const refund = peer.refunds.find(({payment_intent: intent}) => intent === `pi_${session.id}`)!
  expect((await buyer.refresh(id)).body).toMatchObject({surplus_payments: 1, mismatched_payments: 1})
  return {
    buyer,
    id,
    refund,
    /** Stripe says that a refund of this payment failed. */
    say: (failed: object = refund) =>
      on.deliver(peer.event('refund.failed', {...refund, ...failed, metadata: {}}, {at: server.deps.now().getTime()})),
    seen: () => seenBy(buyer, id),
  }
}

const onWayBack = {all: 1, mismatched: 1, failed: undefined}
const notArrived = {all: 1, mismatched: undefined, failed: 1}

test('a webhook says that it failed: the order says so, once, to its owner and to the operator', async () => {
  const {buyer, id, refund, say, seen} = await givenBack()
  expect((await say()).status).toBe(200)
  expect(await seen(), 'Stripe itself knows of no failure').toEqual(onWayBack)
  refund.status = 'failed'
  const before = server.logged.length
  expect((await say()).status).toBe(200)
  expect((await say()).status).toBe(200)
  expect(await seen()).toEqual(notArrived)
  expect(errorsSince(before)).toEqual([
    {
      fields: {order: id, refund: refund.id, payment: expect.any(String)},
      level: 'error',
      message: 'a refund failed; its payer has to be paid in another way',
    },
  ])
  const {database, now} = server.deps
  const [line] = await listOrders(database, buyer.user.user.email, now)
  expect(line).toContain('refund failed')
})

test.each(['pending', 'succeeded'] as const)(
  'without webhooks one that was %s is looked at once a day',
  async (status) => {
    const {refund, seen} = await givenBack(status)
    server.advance(day - 1_000)
    await sweep()
    expect(asked(refund.id)).toBe(0)
    server.advance(1_000)
    await sweep()
    await sweep()
    expect([asked(refund.id), await seen()]).toEqual([1, onWayBack])
    refund.status = 'failed'
    server.advance(day)
    await sweep()
    expect([asked(refund.id), await seen()]).toEqual([2, notArrived])
    server.advance(day)
    await sweep()
    expect(asked(refund.id)).toBe(2)
  },
)

test('one that has arrived for a month is not looked at any more', async () => {
  const {refund, seen} = await givenBack()
  refund.status = 'succeeded'
  for (let turn = 0; turn < 40; turn += 1) {
    server.advance(day)
    await sweep()
  }
  expect([asked(refund.id), await seen()]).toEqual([30, onWayBack])
})

test('the webhook of an earlier attempt says nothing of the one that arrived', async () => {
  const {refund, say, seen} = await givenBack()
  const earlier = peer.refund(refund.payment_intent, 'failed')
  const before = server.logged.length
  expect((await say(earlier)).status).toBe(200)
  expect([await seen(), errorsSince(before)]).toEqual([onWayBack, []])
})

test('one whose answer was lost is the refund that Stripe has, and is looked at', async () => {
  onTestFinished(server.holdClock())
  const buyer = await createBuyer(server)
  const {id, session} = await on.begin(buyer)
  Object.assign(peer.complete(session), {amount_total: 1})
  await buyer.refresh(id)
  const lost = peer.refund(`pi_${session.id}`, 'pending')
  peer.state.refund = 'charge_already_refunded'
  await sweep()
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['refunded'])
  lost.status = 'failed'
  server.advance(day)
  await sweep()
  expect(await seenBy(buyer, id)).toEqual(notArrived)
})

test('one that failed at once is tried again, also where its webhook comes', async () => {
  const {buyer, refund, say} = await givenBack('failed')
  const before = server.logged.length
  expect((await say()).status).toBe(200)
  expect([refund.status, errorsSince(before)]).toEqual(['failed', []])
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['surplus'])
  peer.state.refund = 'succeeded'
  server.advance(30_000)
  await sweep()
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['refunded'])
})

test('its webhook is refused while Stripe does not answer, so that it comes again', async () => {
  const {refund, say, seen} = await givenBack()
  refund.status = 'failed'
  peer.state.beforeWork = async (path) => {
    peer.state.isAway = path.startsWith('/v1/refunds/')
  }
  expect((await say()).status).toBe(502)
  peer.state.beforeWork = undefined
  peer.state.isAway = false
  expect((await say()).status).toBe(200)
  expect(await seen()).toEqual(notArrived)
})

test('a refund by the version before, which kept no name, counts by its webhook', async () => {
  const {buyer, refund, say, seen} = await givenBack()
  await server.deps.database.asSystem((transaction) =>
    transaction
      .update(payments)
      .set({refundState: null, refundReference: null})
      .where(eq(payments.userId, buyer.user.user.id)),
  )
  refund.status = 'failed'
  expect((await say()).status).toBe(200)
  expect(await seen()).toEqual(notArrived)
})

test('an order that its owner removed is seen again', async () => {
  const {buyer, id, refund, say} = await givenBack()
  expect((await buyer.send('DELETE', `/orders/${id}`)).status).toBe(204)
  refund.status = 'failed'
  await say()
  expect((await buyer.refresh(id)).body.failed_refunds).toBe(1)
  expect((await buyer.send('DELETE', `/orders/${id}`)).status).toBe(409)
})

test('the operator says that the payer was paid in another way; a late webhook changes nothing', async () => {
  const {id, refund, say, seen} = await givenBack()
  const {database, now} = server.deps
  await expect(settleRefunds(database, id, now)).rejects.toThrow('no refund that failed')
  refund.status = 'failed'
  await say()
  await settleRefunds(database, id, now)
  const settled = {all: undefined, mismatched: undefined, failed: undefined, settled: 1}
  expect(await seen(), 'nothing is on its way any more').toEqual(settled)
  await say()
  expect(await seen()).toEqual(settled)
})
