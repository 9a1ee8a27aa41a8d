import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import {base} from './platform.fixtures.ts'
import type {TestServer} from './harness.ts'
import {bought, createBuyer, createShop, createStripeShop, press} from './orders.fixtures.ts'
import type {StripePeer} from './stripe-peer.ts'

/* Stripe reports payments by itself, to the server's address for it. */

let on: Awaited<ReturnType<typeof createStripeShop>>
let peer: StripePeer
let server: TestServer
let shop: typeof on.shop
let begin: typeof on.begin
let completed: typeof on.completed
let deliver: typeof on.deliver
beforeAll(async () => {
  on = await createStripeShop()
  ;({peer, shop, begin, completed, deliver} = on)
  server = shop.server
})
afterAll(() => on.close())
beforeEach(() => {
  peer.state.isAway = false
  peer.state.beforeWork = undefined
  peer.state.beforeAnswer = undefined
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

test('a webhook is a hint: Stripe itself says what became of a payment', async () => {
  const buyer = await createBuyer(server)
  const unpaid = await begin(buyer)
  const claimed = {...unpaid.session, status: 'complete', payment_status: 'paid'}
  expect((await deliver(peer.event('checkout.session.completed', claimed))).status).toBe(200)
  expect((await buyer.orderRow(unpaid.id))?.state).toBe('Pending')
  const {id, session} = await begin(buyer)
  // of an endpoint that was made with an older version, with the amount in the payer's currency
  const older = {...peer.complete(session), amount_total: 14_000, currency: 'krw'}
  expect((await deliver(peer.event('checkout.session.completed', older))).status).toBe(200)
  expect((await buyer.orderRow(id))?.state).toBe('Finished')
  expect((await buyer.payments()).map(({state}) => state).sort()).toEqual(['open', 'paid'])
})

test('a webhook while Stripe itself does not answer is refused, so that it comes again', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  const event = completed(session)
  peer.state.isAway = true
  expect((await deliver(event)).status).toBe(502)
  peer.state.isAway = false
  expect((await deliver(event)).status).toBe(200)
  expect((await buyer.orderRow(id))?.state).toBe('Finished')
})

test('a webhook that names another order or another session credits neither', async () => {
  const [buyer, victim] = [await createBuyer(server), await createBuyer(server)]
  const cheap = await begin(buyer, 10)
  const dear = await begin(victim, 500)
  const paid = {...peer.complete(cheap.session)}
  const metadata = dear.session.metadata
  const wrong = [
    {...paid, metadata: {...paid.metadata, order_id: dear.id}},
    {...paid, metadata},
    {...paid, id: 'cs_test_other'},
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

test('money that goes back at Stripe leaves credits and order as they are, and is said in the log', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  await deliver(completed(session))
  const before = server.logged.length
  const charge = {object: 'charge', payment_intent: session.payment_intent, metadata: {}}
  const dispute = {object: 'dispute', payment_intent: session.payment_intent, metadata: {}}
  for (const [type, object] of [
    ['charge.refunded', charge],
    ['charge.dispute.created', dispute],
  ] as const)
    expect((await deliver(peer.event(type, object))).status).toBe(200)
  const lines = server.logged.slice(before).filter((line) => JSON.stringify(line).includes('went back at Stripe'))
  expect(lines.length).toBe(2)
  for (const line of lines)
    expect(line.fields).toEqual({
      order: id,
      intent: session.payment_intent,
      event: expect.any(String),
      payment: expect.any(String),
    })
  expect([(await buyer.refresh(id)).body.state, await bought(buyer)]).toEqual(['Finished', 100])
})

test('money that this server gave back itself is no news', async () => {
  const buyer = await createBuyer(server)
  const {id, session} = await begin(buyer)
  Object.assign(peer.complete(session), {amount_total: 1})
  await buyer.refresh(id)
  await shop.service.payments.sweep()
  const before = server.logged.length
  const charge = {object: 'charge', payment_intent: session.payment_intent, metadata: session.metadata}
  expect((await deliver(peer.event('charge.refunded', charge))).status).toBe(200)
  expect(JSON.stringify(server.logged.slice(before))).not.toContain('went back at Stripe')
  const dispute = {object: 'dispute', payment_intent: session.payment_intent, metadata: {}}
  expect((await deliver(peer.event('charge.dispute.created', dispute))).status).toBe(200)
  const lines = server.logged.slice(before).filter(({level}) => level === 'error')
  expect(lines.map(({message, fields}) => [message, fields?.order])).toEqual([
    ['a payment that is given back is disputed', id],
  ])
})

test.each(['charge.refunded', 'charge.dispute.created', 'refund.failed', 'checkout.session.completed'])(
  'a %s of another application on the same account is received, and is no news',
  async (type) => {
    const before = server.logged.length
    const object = {id: 'cs_other', payment_intent: 'pi_other', metadata: {order_id: '1', payment_id: '123'}}
    expect((await deliver(peer.event(type, object))).status).toBe(200)
    expect(server.logged.slice(before).filter(({level}) => level === 'error')).toEqual([])
  },
)

test('money that went back is said again when Stripe could not be asked about it', async () => {
  peer.state.isAway = true
  const charge = {object: 'charge', payment_intent: 'pi_1', metadata: {}}
  expect((await deliver(peer.event('charge.refunded', charge))).status).toBe(502)
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
