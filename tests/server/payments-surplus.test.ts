import {eq} from 'drizzle-orm'
import {createGiveUpOrders} from '#server/account/give-up-orders.ts'
import {payments} from '#server/store/schema/orders.ts'
import {users} from '#server/store/schema/people.ts'
import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest'
import type {TestServer} from './harness.ts'
import {bought, createBuyer, createStripeShop, openPage, press} from './orders.fixtures.ts'
import type {StripePeer} from './stripe-peer.ts'

/* Money that cannot be credited goes back, and the order says so. */

let on: Awaited<ReturnType<typeof createStripeShop>>
let peer: StripePeer
let server: TestServer
let shop: typeof on.shop
let begin: typeof on.begin
let deliver: typeof on.deliver
beforeAll(async () => {
  on = await createStripeShop()
  ;({peer, shop, begin, deliver} = on)
  server = shop.server
})
afterAll(() => on.close())
beforeEach(() => {
  peer.state.refund = 'succeeded'
})

const refunds = (session: {id: string}) => peer.refunded.filter((intent) => intent === `pi_${session.id}`).length

test.each<[string, {amount_total?: number; currency?: string}]>([
  ['less', {amount_total: 1}],
  ['more', {amount_total: 5_000}],
  ['another currency', {currency: 'krw'}],
])('%s than the price: the money goes back once, the order can still be paid and says so', async (_, changes) => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  Object.assign(peer.complete(session), changes)
  const seen = (await buyer.refresh(id)).body
  expect([seen.state, seen.surplus_payments, seen.mismatched_payments]).toEqual(['Pending', 1, 1])
  expect([seen.pay_url, seen.pay_ways]).toEqual([undefined, ['Stripe', 'Sandbox']])
  await shop.service.payments.sweep()
  await shop.service.payments.sweep()
  expect(refunds(session)).toBe(1)
  expect((await buyer.payments()).map(({state, surplusReason}) => [state, surplusReason])).toEqual([
    ['refunded', 'amount'],
  ])
  expect(await bought(buyer)).toBe(0)
  await press(server, (await buyer.pay(id, 'Sandbox')).body.pay_url, 'pay')
  expect((await buyer.refresh(id)).body).toMatchObject({
    state: 'Finished',
    surplus_payments: 1,
    mismatched_payments: 1,
  })
  expect(await bought(buyer)).toBe(100)
})

test('an order stays in the list until money that came for it was sent back, and says why', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  Object.assign(peer.complete(session), {amount_total: 1})
  const {status, body} = await buyer.send('DELETE', `/orders/${id}`)
  expect([status, body.detail]).toEqual([409, expect.stringContaining('goes back')])
  expect((await buyer.refresh(id)).body.surplus_payments).toBe(1)
  await shop.service.payments.sweep()
  expect(refunds(session)).toBe(1)
  expect((await buyer.send('DELETE', `/orders/${id}`)).status).toBe(204)
})

test('an order that was removed is seen again while money for it goes back', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  expect((await buyer.send('DELETE', `/orders/${id}`)).status).toBe(204)
  Object.assign(peer.complete(session), {amount_total: 1})
  await deliver(peer.event('checkout.session.completed', session, {at: server.deps.now().getTime()}))
  expect((await buyer.refresh(id)).body.surplus_payments).toBe(1)
})

test('another way begins at once where the first page took another amount', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  Object.assign(peer.complete(session), {amount_total: 1})
  const {status, body} = await buyer.pay(id, 'Sandbox')
  expect([status, typeof body.pay_url]).toEqual([200, 'string'])
  await shop.service.payments.sweep()
  expect(refunds(session)).toBe(1)
})

test('a delayed payment of another amount goes back, and its order waits for no bank any more', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  peer.debit(session)
  await buyer.refresh(id)
  Object.assign(peer.complete(session), {amount_total: 1})
  server.advance(61_000)
  const {body} = await buyer.refresh(id)
  expect([body.state, body.processing_at, body.pay_ways]).toEqual(['Pending', undefined, ['Stripe', 'Sandbox']])
})

/** Deletes an account and gives its orders up, as the deletion of an account does. */
async function deleteAccount(userId: string) {
  await server.deps.database.asSystem((transaction) =>
    transaction.update(users).set({deletedAt: server.deps.now()}).where(eq(users.id, userId)),
  )
  await createGiveUpOrders(server.deps, shop.service.payments)(userId)
}

test('money that a bank sends after the account was deleted goes back, and is credited to nobody', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  peer.debit(session)
  await buyer.refresh(id)
  await deleteAccount(buyer.user.user.id)
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['open'])
  peer.complete(session)
  server.advance(11 * 60_000)
  await shop.service.payments.sweep()
  server.advance(1_000)
  await shop.service.payments.sweep()
  expect([refunds(session), await bought(buyer)]).toEqual([1, 0])
  expect((await buyer.payments()).map(({state, surplusReason}) => [state, surplusReason])).toEqual([
    ['refunded', 'account'],
  ])
  expect(await buyer.orderRow(id)).toMatchObject({paidAt: null, processingAt: null})
})

test('the page on which a debit is confirmed is kept for no deleted account, and for none that has ended', async () => {
  const [leaving, staying] = [await createBuyer(server), await createBuyer(server)]
  const [left, kept] = [await begin(leaving), await begin(staying)]
  for (const [buyer, {id, session}] of [[leaving, left] as const, [staying, kept] as const]) {
    peer.debit(session, 'requires_action')
    expect((await buyer.refresh(id)).body.confirm_url).toBe(peer.confirmPage(`pi_${session.id}`))
  }
  const links = async () =>
    [...(await leaving.payments()), ...(await staying.payments())].map(({confirmUrl}) => confirmUrl)
  await deleteAccount(leaving.user.user.id)
  await eraseWords(leaving.user.user.id)
  server.advance(11 * 60_000)
  await shop.service.payments.sweep()
  expect(await links()).toEqual([null, peer.confirmPage(`pi_${kept.session.id}`)])
  peer.decline(kept.session)
  server.advance(11 * 60_000)
  await shop.service.payments.sweep()
  expect(await links()).toEqual([null, null])
})

test('money that came before the account was deleted counts, whenever its credits are booked', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  peer.complete(session)
  await buyer.refresh(id)
  await deleteAccount(buyer.user.user.id)
  server.advance(61_000)
  await shop.service.payments.sweep()
  expect([refunds(session), await bought(buyer)]).toEqual([0, 100])
})

test('the simulated page of a deleted account says that it is closed', async () => {
  const buyer = await createBuyer(server)
  const {id} = await buyer.topUp()
  const page = (await buyer.pay(id)).body.pay_url
  await deleteAccount(buyer.user.user.id)
  await eraseWords(buyer.user.user.id)
  const {status, text} = await openPage(server, page)
  expect([status, text.includes('<form')]).toEqual([200, false])
  expect((await press(server, page, 'pay')).status).toBe(303)
  expect(await bought(buyer)).toBe(0)
})

const eraseWords = (userId: string) =>
  server.deps.database.asSystem((transaction) =>
    transaction
      .update(payments)
      .set({title: '', url: null, confirmUrl: null, returnUrl: ''})
      .where(eq(payments.userId, userId)),
  )

/** A buyer to whom money is owed. */
async function owed() {
  onTestFinished(server.holdClock())
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  Object.assign(peer.complete(session), {amount_total: 1})
  await buyer.refresh(id)
  return {id, session, states: async () => (await buyer.payments()).map(({state}) => state)}
}

test('money that the operator gave back in the dashboard is back', async () => {
  const {states, session} = await owed()
  peer.refund(`pi_${session.id}`, 'succeeded')
  peer.state.refund = 'charge_already_refunded'
  await shop.service.payments.sweep()
  expect([await states(), refunds(session)]).toEqual([['refunded'], 1])
})

test('money that cannot be given back is tried ever more rarely, once a day at least', async () => {
  const {states, session} = await owed()
  peer.state.refund = 'charge_disputed'
  const sweepFor = async (steps: number, milliseconds: number) => {
    for (let step = 0; step < steps; step += 1) {
      server.advance(milliseconds)
      await shop.service.payments.sweep()
    }
  }
  await sweepFor(120, 30_000)
  expect([await states(), refunds(session)]).toEqual([['surplus'], 7])
  await sweepFor(10 * 4, 6 * 3_600_000)
  expect(refunds(session)).toBeGreaterThan(7 + 7)
  expect(refunds(session)).toBeLessThan(7 + 14)
  peer.state.refund = 'succeeded'
  await sweepFor(5, 6 * 3_600_000)
  expect(await states()).toEqual(['refunded'])
})
