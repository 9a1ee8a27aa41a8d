import {finishOrderByHand} from '#server/admin/orders.ts'
import {createOrderService} from '#server/orders/order-service.ts'
import {afterAll, beforeAll, beforeEach, expect, test, vi} from 'vitest'
import {base} from './platform.fixtures.ts'
import type {TestServer} from './harness.ts'
import {bought, createBuyer, createShop, createStripeShop, press, type Buyer} from './orders.fixtures.ts'
import {secretKey, startStripePeer, webhookSecret, type StripePeer} from './stripe-peer.ts'

/* Stripe Checkout by Stripe's own library, against a peer on loopback that speaks its wire. */

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

const deliver = ({payload, header}: {payload: string; header: string}) =>
  server.call('POST', `${base}/payments/stripe/webhook`, {
    origin: null,
    body: payload,
    headers: {'content-type': 'application/json; charset=utf-8', 'stripe-signature': header},
  })

/** An order with a page of Stripe. */
async function begin(buyer: Buyer, amount = 100) {
  const {id} = await buyer.topUp(amount)
  const {status, body} = await buyer.pay(id, 'Stripe')
  expect(status).toBe(200)
  return {id, session: peer.sessionOf(body.pay_url), url: body.pay_url as string}
}
const completed = (session: Parameters<StripePeer['complete']>[0]) =>
  peer.event('checkout.session.completed', peer.complete(session))

test('Stripe is asked for the price of the order, once for all tabs', async () => {
  const buyer = await createBuyer(server)
  const {id, price} = await buyer.topUp(454)
  const before = peer.requests.length
  const all = await Promise.all([1, 2, 3, 4].map(() => buyer.pay(id, 'Stripe')))
  expect(new Set(all.map(({body}) => body.pay_url)).size).toBe(1)
  expect(all[0]?.body).toMatchObject({pay_way: 'Stripe', pay_ways: ['Stripe', 'Sandbox']})
  const opened = peer.requests.slice(before).filter(({path}) => path === '/v1/checkout/sessions')
  expect(new Set(opened.map(({key}) => key)).size).toBe(1)
  const [{form} = {form: new URLSearchParams()}] = opened
  expect(form.get('line_items[0][price_data][unit_amount]')).toBe(String(Math.round(price * 100)))
  expect(form.get('line_items[0][price_data][currency]')).toBe('usd')
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
  await vi.waitFor(async () => expect((await buyer.payments()).map(({state}) => state)).toEqual(['opening']))
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

test('a signed webhook credits the order; replayed, in parallel with polls, it does so once', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  const event = completed(session)
  const answers = await Promise.all([1, 2, 3, 4, 5].flatMap(() => [deliver(event), buyer.refresh(id)]))
  expect(answers.map(({status}) => status)).toEqual(answers.map(() => 200))
  expect((await buyer.refresh(id)).body).toMatchObject({state: 'Finished', pay_way: 'Stripe'})
  expect(await bought(buyer)).toBe(100)
  expect((await deliver(event)).status).toBe(200)
  expect(await bought(buyer)).toBe(100)
  expect((await buyer.payments()).map(({state}) => state)).toEqual(['paid'])
})

test('without a webhook a poll finds the payment, and so does the sweep when nobody polls', async () => {
  const buyer = await createBuyer(server)
  const polled = await begin(buyer)
  peer.complete(polled.session)
  expect((await buyer.refresh(polled.id)).body.state).toBe('Finished')
  const left = await begin(buyer)
  peer.complete(left.session)
  await shop.service.payments.sweep()
  expect((await buyer.orderRow(left.id))?.state).toBe('Pending')
  server.advance(61_000)
  await shop.service.payments.sweep()
  expect((await buyer.orderRow(left.id))?.state).toBe('Finished')
  expect(await bought(buyer)).toBe(200)
})

test('however many tabs poll at however many processes, Stripe is asked about a payment every five seconds', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  const asked = () =>
    peer.requests.filter(({method, path}) => method === 'GET' && path === `/v1/checkout/sessions/${session.id}`).length
  const other = createOrderService(server.deps, {tools: []}).payments
  const row = (await buyer.orderRow(id))!
  const poll = () => Promise.all([buyer.refresh(id), buyer.refresh(id), other.refresh(row), other.refresh(row)])
  await poll()
  expect(asked()).toBe(1)
  for (const seconds of [2, 2]) {
    server.advance(seconds * 1_000)
    await poll()
  }
  expect(asked()).toBe(1)
  peer.complete(session)
  expect((await buyer.refresh(id)).body.state).toBe('Pending')
  server.advance(1_000)
  await poll()
  expect(asked()).toBe(2)
  expect((await buyer.refresh(id)).body.state).toBe('Finished')
  expect(await bought(buyer)).toBe(100)
})

test('a webhook counts between two questions, and a payment that Stripe did not answer about is asked again', async () => {
  const buyer = await createBuyer(server)
  const heard = await begin(buyer)
  await buyer.refresh(heard.id)
  await deliver(completed(heard.session))
  expect((await buyer.refresh(heard.id)).body.state).toBe('Finished')
  const {id, session} = await begin(buyer)
  peer.state.isAway = true
  expect((await buyer.refresh(id)).body.state).toBe('Pending')
  peer.state.isAway = false
  peer.complete(session)
  server.advance(5_000)
  expect((await buyer.refresh(id)).body.state).toBe('Finished')
})

test.each<[string, (session: Parameters<StripePeer['complete']>[0]) => {payload: string; header: string}]>([
  ['with another secret', (session) => peer.event('checkout.session.completed', session, {secret: 'whsec_wrong'})],
  ['without a signature', (session) => ({...peer.event('checkout.session.completed', session), header: ''})],
  [
    'whose body was changed',
    (session) => {
      const {payload, header} = peer.event('checkout.session.completed', {...session, payment_status: 'unpaid'})
      return {payload: payload.replace('unpaid', 'paid'), header}
    },
  ],
  ['from a day ago', (session) => peer.event('checkout.session.completed', session, {at: Date.now() - 86_400_000})],
])('a webhook %s is refused and credits nothing', async (_what, forge) => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  const answer = await deliver(forge({...session, status: 'complete', payment_status: 'paid'}))
  expect(answer.status).toBe(400)
  expect(await answer.text()).not.toContain('whsec')
  expect((await buyer.refresh(id)).body.state).toBe('Pending')
  expect(await bought(buyer)).toBe(0)
})

test('a webhook that names another order, another session or another amount credits neither', async () => {
  const [buyer, victim] = [await createBuyer(server), await createBuyer(server)]
  const cheap = await begin(buyer, 10)
  const dear = await begin(victim, 500)
  const paid = {...peer.complete(cheap.session)}
  const metadata = dear.session.metadata
  const wrong = [
    {...paid, metadata: {...paid.metadata, order_id: dear.id}},
    {...paid, metadata},
    {...paid, id: 'cs_test_other'},
    {...paid, amount_total: 1},
    {...paid, currency: 'krw'},
    {...paid, metadata: {}},
    {...paid, metadata: {order_id: cheap.id, payment_id: crypto.randomUUID()}},
  ]
  for (const session of wrong)
    expect((await deliver(peer.event('checkout.session.completed', session))).status).toBe(200)
  expect(await bought(buyer)).toBe(0)
  expect(await bought(victim)).toBe(0)
  await deliver(peer.event('checkout.session.completed', paid))
  expect(await bought(buyer)).toBe(10)
  expect((await victim.refresh(dear.id)).body.state).toBe('Pending')
})

test('a payment that arrives after the order expired is credited, and the order says so', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  await press(server, (await buyer.pay(id, 'Sandbox')).body.pay_url, 'expire')
  expect((await buyer.refresh(id)).body.state).toBe('Expired')
  await deliver(completed(session))
  expect((await buyer.refresh(id)).body).toMatchObject({state: 'Finished', overdue: true})
  expect(await bought(buyer)).toBe(100)
})

test('money for an order that another payment has paid goes back and credits nothing', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  const other = (await buyer.pay(id, 'Sandbox')).body
  expect(session.status).toBe('expired')
  await press(server, other.pay_url, 'pay')
  await deliver(completed(session))
  expect(await bought(buyer)).toBe(100)
  await shop.service.payments.sweep()
  await shop.service.payments.sweep()
  expect((await buyer.refresh(id)).body).toMatchObject({state: 'Finished', surplus_payments: 1})
  expect(peer.refunded.filter((intent) => intent === `pi_${session.id}`)).toHaveLength(1)
  expect((await buyer.payments()).map(({state}) => state).sort()).toEqual(['paid', 'refunded'])
})

test('a page that was paid while another way was chosen counts', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  peer.complete(session)
  expect(await buyer.pay(id, 'Sandbox')).toMatchObject({status: 409, body: {code: 'conflict'}})
  expect((await buyer.refresh(id)).body).toMatchObject({state: 'Finished', pay_way: 'Stripe'})
  expect(await bought(buyer)).toBe(100)
})

test('the webhook of a page that was closed for another way may come first: the order is paid the other way', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  peer.state.beforeAnswer = async (path) => {
    if (path.endsWith('/expire')) await deliver(peer.event('checkout.session.expired', session))
  }
  const {status, body} = await buyer.pay(id, 'Sandbox')
  expect([status, body.state, session.status]).toEqual([200, 'Pending', 'expired'])
  await press(server, body.pay_url, 'pay')
  expect((await buyer.refresh(id)).body).toMatchObject({state: 'Finished', pay_way: 'Sandbox'})
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
    clock.advance(5 * 60_000)
    await poll()
    // Stripe's library asks a second time by itself
    expect(asked()).toBe(2)
    clock.advance(4_000)
    await poll()
    await service.payments.sweep()
    expect([asked(), (await buyer.orderRow(id))?.state]).toEqual([2, 'Pending'])
    own.state.isAway = false
    clock.advance(1_000)
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

test('a delayed payment is declined, and the order can be paid again', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  await deliver(peer.event('checkout.session.completed', {...session, status: 'complete', payment_status: 'unpaid'}))
  expect((await buyer.refresh(id)).body.state).toBe('Pending')
  await deliver(peer.event('checkout.session.async_payment_failed', {...session, payment_status: 'unpaid'}))
  expect((await buyer.refresh(id)).body).toMatchObject({state: 'Failed', pay_ways: ['Stripe', 'Sandbox']})
  const again = (await buyer.pay(id, 'Stripe')).body
  await deliver(completed(peer.sessionOf(again.pay_url)))
  expect(await bought(buyer)).toBe(100)
})

test('while Stripe is away nothing is begun, and an order can still be read and paid another way', async () => {
  const buyer = await createBuyer(server)
  const {id} = await buyer.topUp()
  peer.state.isAway = true
  expect(await buyer.pay(id, 'Stripe')).toMatchObject({status: 502, body: {code: 'api_error'}})
  expect((await buyer.refresh(id)).body.state).toBe('Pending')
  await press(server, (await buyer.pay(id, 'Sandbox')).body.pay_url, 'pay')
  expect((await buyer.refresh(id)).body.state).toBe('Finished')
})

test('what Stripe takes no payment for is not offered there', async () => {
  const buyer = await createBuyer(server)
  const made = await buyer.topUp(1)
  expect(made).toMatchObject({price: 0.1, pay_ways: ['Sandbox']})
  expect((await buyer.pay(made.id, 'Stripe')).status).toBe(400)
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

test('without a webhook secret there is no address to send webhooks to', async () => {
  const {server: plain} = await createShop({stripe: {...peer.config, webhookSecret: undefined}})
  try {
    const {payload, header} = peer.event('checkout.session.completed', {}, {secret: ''})
    const answer = await plain.call('POST', `${base}/payments/stripe/webhook`, {
      origin: null,
      body: payload,
      headers: {'content-type': 'application/json', 'stripe-signature': header},
    })
    expect(answer.status).toBe(404)
  } finally {
    await plain.close()
  }
})
