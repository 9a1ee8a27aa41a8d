import {finishOrderByHand} from '#server/admin/orders.ts'
import {createOrderService} from '#server/orders/order-service.ts'
import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest'
import type {TestServer} from './harness.ts'
import {bought, createBuyer, createShop, createStripeShop, press, type Buyer} from './orders.fixtures.ts'
import {secretKey, startStripePeer, webhookSecret, type StripePeer} from './stripe-peer.ts'
import {eventually} from '../eventually.ts'

/* Stripe Checkout by Stripe's own library, against a peer on loopback that speaks its wire. */

let on: Awaited<ReturnType<typeof createStripeShop>>
let peer: StripePeer
let server: TestServer
let shop: typeof on.shop
let begin: typeof on.begin
beforeAll(async () => {
  on = await createStripeShop()
  ;({peer, shop, begin} = on)
  server = shop.server
})
afterAll(() => on.close())
beforeEach(() => {
  peer.state.isAway = false
  peer.state.beforeWork = undefined
  peer.state.beforeAnswer = undefined
})

/** Two tabs ask Stripe for the page of one payment: the first is answered, and then nobody is until `end` is over. */
async function pressTwice(buyer: Buyer, id: string) {
  let arrived = 0
  let bothArrived = () => {}
  let release = () => {}
  const both = new Promise<void>((resolve) => (bothArrived = resolve))
  const held = new Promise<void>((resolve) => (release = resolve))
  peer.state.beforeWork = (path) => {
    if (path !== '/v1/checkout/sessions') return
    arrived += 1
    if (arrived === 2) bothArrived()
    return arrived === 1 ? both : held
  }
  const presses = [buyer.pay(id, 'Stripe'), buyer.pay(id, 'Stripe')]
  const first = await Promise.race(presses)
  return {first, end: async () => (release(), Promise.all(presses))}
}

test('Stripe is asked for the price of the order, once for all tabs', async () => {
  const buyer = await createBuyer(server)
  const {id, price} = await buyer.topUp(454)
  const before = peer.requests.length
  const all = await Promise.all([1, 2, 3, 4].map(() => buyer.pay(id, 'Stripe')))
  expect(new Set(all.map(({body}) => body.pay_url)).size).toBe(1)
  expect([all[0]?.body.pay_way, all[0]?.body.pay_ways]).toEqual(['Stripe', ['Stripe', 'Sandbox']])
  const opened = peer.requests.slice(before).filter(({path}) => path === '/v1/checkout/sessions')
  expect(new Set(opened.map(({key}) => key)).size).toBe(1)
  const [{form} = {form: new URLSearchParams()}] = opened
  expect(form.get('line_items[0][price_data][unit_amount]')).toBe(String(Math.round(price * 100)))
  expect(form.get('line_items[0][price_data][currency]')).toBe('usd')
  expect(form.get('adaptive_pricing[enabled]')).toBe('false')
  expect(form.get('metadata[order_id]')).toBe(id)
  expect(form.get('success_url')).toContain(`/console/orders/${id}`)
  expect(Number(form.get('expires_at')) * 1000).toBeGreaterThan(Date.now() + 30 * 60_000)
})

test('a press that Stripe does not answer leaves the page that another tab was given, and leads to it', async () => {
  const buyer = await createBuyer(server)
  const {id} = await buyer.topUp()
  const {first, end} = await pressTwice(buyer, id)
  peer.state.isAway = true
  const answers = await end()
  peer.state.isAway = false
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['open'])
  expect(answers.map(({status, body}) => [status, body.pay_url])).toEqual(answers.map(() => [200, first.body.pay_url]))
  peer.complete(peer.sessionOf(first.body.pay_url))
  expect((await buyer.refresh(id)).body.state).toBe('Finished')
  expect(await bought(buyer)).toBe(100)
})

test('another way that is chosen while Stripe makes a page closes the page that was given meanwhile', async () => {
  const buyer = await createBuyer(server)
  const {id} = await buyer.topUp()
  let letMake = () => {}
  const isRead = new Promise<void>((resolve) => (letMake = resolve))
  peer.state.beforeWork = () => isRead
  const press = buyer.pay(id, 'Stripe')
  await eventually(async () => expect((await buyer.payments()).map(({state}) => state)).toEqual(['opening']))
  // a process that reads the payment before its page is handed out, and goes on after it
  const {database} = server.deps
  const asSystem: typeof database.asSystem = async (work) => {
    const result = await database.asSystem(work)
    letMake()
    await press
    return result
  }
  await createOrderService({...server.deps, database: {...database, asSystem}}, {tools: []}).payments.abandon(id)
  const {body} = await press
  expect(peer.sessionOf(body.pay_url).status).toBe('expired')
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['closed'])
})

test('however many tabs poll at however many processes, Stripe is asked about a payment every five seconds', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  onTestFinished(server.holdClock())
  const asked = () =>
    peer.requests.filter(({method, path}) => method === 'GET' && path === `/v1/checkout/sessions/${session.id}`).length
  const other = createOrderService(server.deps, {tools: []}).payments
  const row = (await buyer.orderRow(id))!
  const poll = () => Promise.all([buyer.refresh(id), buyer.refresh(id), other.refresh(row), other.refresh(row)])
  await poll()
  expect(asked()).toBe(1)
  for (const milliseconds of [2_000, 2_999]) {
    server.advance(milliseconds)
    await poll()
  }
  expect(asked()).toBe(1)
  peer.complete(session)
  expect((await buyer.refresh(id)).body.state).toBe('Pending')
  server.advance(1)
  await poll()
  expect(asked()).toBe(2)
  expect((await buyer.refresh(id)).body.state).toBe('Finished')
  expect(await bought(buyer)).toBe(100)
})

test('a page that was paid while another way was chosen counts', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  peer.complete(session)
  expect(await buyer.pay(id, 'Sandbox')).toEqual({
    status: 409,
    body: {code: 'conflict', detail: 'This order is paid already.'},
    headers: expect.any(Headers),
  })
  expect((await buyer.refresh(id)).body).toMatchObject({state: 'Finished', pay_way: 'Stripe'})
  expect(await bought(buyer)).toBe(100)
})

test('an order that the operator counts as paid closes its page at Stripe', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  await finishOrderByHand(server.deps, id)
  server.advance(61_000)
  await shop.service.payments.sweep()
  expect([session.status, (await buyer.payments()).map(({state}) => state)]).toEqual(['expired', ['closed']])
  expect((await buyer.refresh(id)).body.state).toBe('Finished')
  expect(await bought(buyer)).toBe(100)
})

test('an order that expires closes its page at Stripe', async () => {
  const own = await startStripePeer()
  const {server: clock, service} = await createShop({stripe: own.config, orderMinutes: 5})
  try {
    const buyer = await createBuyer(clock)
    const {id} = await buyer.topUp()
    const session = own.sessionOf((await buyer.pay(id, 'Stripe')).body.pay_url)
    clock.advance(5 * 60_000)
    await service.payments.sweep()
    expect(session.status).toBe('expired')
    expect((await buyer.orderRow(id))?.state).toBe('Expired')
  } finally {
    await clock.close()
    await own.stop()
  }
})

test('an overdue order while Stripe is away: every tab is answered, Stripe is asked every five seconds, and it ends later', async () => {
  const own = await startStripePeer()
  const {server: clock, service} = await createShop({stripe: own.config, orderMinutes: 5})
  try {
    const buyer = await createBuyer(clock)
    const {id} = await buyer.topUp()
    const session = own.sessionOf((await buyer.pay(id, 'Stripe')).body.pay_url)
    const asked = () => own.requests.filter(({path}) => path.includes(session.id)).length
    const poll = async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => buyer.refresh(id)))
      expect(answers.map(({status, body}) => [status, body.state])).toEqual(answers.map(() => [200, 'Expired']))
    }
    own.state.isAway = true
    onTestFinished(clock.holdClock())
    clock.advance(5 * 60_000)
    await poll()
    // Stripe's library asks a second time by itself
    expect(asked()).toBe(2)
    clock.advance(4_999)
    await poll()
    await service.payments.sweep()
    expect([asked(), (await buyer.orderRow(id))?.state]).toEqual([2, 'Pending'])
    own.state.isAway = false
    clock.advance(1)
    await poll()
    expect([asked(), session.status, (await buyer.orderRow(id))?.state]).toEqual([4, 'expired', 'Expired'])
    expect((await buyer.payments()).map(({state}) => state)).toEqual(['closed'])
    await poll()
    expect(asked()).toBe(4)
  } finally {
    await clock.close()
    await own.stop()
  }
})

test('an order whose way of payment is no longer offered ends as well', async () => {
  const {server: first} = await createShop({stripe: peer.config, orderMinutes: 5})
  const {server: clock, service} = await createShop({orderMinutes: 5}, first)
  try {
    const buyer = await createBuyer(first)
    const {id} = await buyer.topUp()
    await buyer.pay(id, 'Stripe')
    clock.advance(5 * 60_000)
    await service.payments.sweep()
    expect((await buyer.orderRow(id))?.state).toBe('Expired')
  } finally {
    await clock.close()
    await first.close()
  }
})

test('a payment at the last moment counts, though the order is looked at after its end', async () => {
  const own = await startStripePeer()
  const {server: clock} = await createShop({stripe: own.config, orderMinutes: 5})
  try {
    const buyer = await createBuyer(clock)
    const {id} = await buyer.topUp()
    own.complete(own.sessionOf((await buyer.pay(id, 'Stripe')).body.pay_url))
    clock.advance(5 * 60_000)
    expect((await buyer.refresh(id)).body.state).toBe('Finished')
    expect(await bought(buyer)).toBe(100)
  } finally {
    await clock.close()
    await own.stop()
  }
})

test('while Stripe is away nothing is begun, and an order can still be read and paid another way', async () => {
  const buyer = await createBuyer(server)
  const {id} = await buyer.topUp()
  peer.state.isAway = true
  expect(await buyer.pay(id, 'Stripe')).toEqual({
    status: 502,
    body: {code: 'api_error', detail: 'The payment provider does not answer as it should. Try again in a moment.'},
    headers: expect.any(Headers),
  })
  expect((await buyer.refresh(id)).body.state).toBe('Pending')
  await press(server, (await buyer.pay(id, 'Sandbox')).body.pay_url, 'pay')
  expect((await buyer.refresh(id)).body.state).toBe('Finished')
})

test('what Stripe takes no payment for is not offered there', async () => {
  const buyer = await createBuyer(server)
  const made = await buyer.topUp(1)
  expect([made.price, made.pay_ways]).toEqual([0.1, ['Sandbox']])
  expect(made.least_price).toBeUndefined()
  expect((await buyer.pay(made.id, 'Stripe')).status).toBe(400)
})

test('where only Stripe takes payments, an order that is too cheap for it says from which price on', async () => {
  const {server: strict} = await createShop({stripe: peer.config, sandbox: false})
  try {
    const buyer = await createBuyer(strict)
    expect(await buyer.topUp(1)).toMatchObject({price: 0.1, pay_ways: [], least_price: 0.5})
    expect((await buyer.topUp(100)).least_price).toBeUndefined()
  } finally {
    await strict.close()
  }
})

test('no key of Stripe is in an answer or in the log', async () => {
  const wrong = await createShop({stripe: {...peer.config, secretKey: 'sk_test_wrongcanary'}})
  try {
    const buyer = await createBuyer(wrong.server)
    const {id} = await buyer.topUp()
    const answer = await buyer.pay(id, 'Stripe')
    expect(answer.status).toBe(502)
    const everything = JSON.stringify([answer.body, wrong.server.logged, server.logged])
    expect(everything).toContain('StripeAuthenticationError')
    for (const secret of [secretKey, webhookSecret, 'sk_test_wrongcanary']) expect(everything).not.toContain(secret)
  } finally {
    await wrong.server.close()
  }
})
