import {and, eq} from 'drizzle-orm'
import {expect} from 'vitest'
import type {PackageOffer, PaymentsConfig} from '#server/config-payments.ts'
import {noMedia} from '#server/platform/media-catalogue.ts'
import {createOrderService, type OrderService} from '#server/orders/order-service.ts'
import {orderViews} from '#server/orders/order-view.ts'
import {orderRoutes} from '#server/orders/orders.routes.ts'
import {paymentRoutes} from '#server/payments/payments.routes.ts'
import {platformRoutes} from '#server/platform/platform.routes.ts'
import {ledgerEntries} from '#server/store/schema/credits.ts'
import {orders, payments} from '#server/store/schema/orders.ts'
import {applications} from '#server/store/schema/platform.ts'
import {createTestServer, testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, base, catalogue} from './platform.fixtures.ts'
import {startStripePeer, type StripePeer} from './stripe-peer.ts'

export const day = 86_400_000

const credits = (amount: number, price: number): PackageOffer => ({
  type: 'Usage',
  amount,
  price,
  duration: undefined,
  recommended: false,
})
const period = (amount: number, price: number, days: number): PackageOffer => ({
  type: 'Period',
  amount,
  price,
  duration: days * 86_400,
  recommended: days === 365,
})
export const offers = [
  credits(5, 0),
  credits(100, 990),
  credits(500, 4500),
  period(120, 990, 7),
  period(600, 3900, 30),
  period(8000, 39_000, 365),
]

export const shopPayments = (overrides: Partial<PaymentsConfig> = {}): PaymentsConfig => ({
  packages: {general: offers, service: offers.slice(1, 3), services: {}},
  orderMinutes: 60,
  sandbox: true,
  stripe: undefined,
  ...overrides,
})

/** A shop that is paid by Stripe: a peer on loopback that speaks its wire. */
export async function createStripeShop(overrides: Partial<PaymentsConfig> = {}) {
  const peer = await startStripePeer()
  const shop = await createShop({stripe: peer.config, ...overrides})
  const {server} = shop
  await server.createUser()
  return {
    peer,
    shop,
    /** An order with a page of Stripe. */
    begin: async (buyer: Buyer, amount = 100) => {
      const {id} = await buyer.topUp(amount)
      const {status, body} = await buyer.pay(id, 'Stripe')
      expect(status).toBe(200)
      return {id, session: peer.sessionOf(body.pay_url), url: body.pay_url as string}
    },
    /** The event of Stripe after a session's payment. */
    completed: (session: Parameters<StripePeer['complete']>[0]) =>
      peer.event('checkout.session.completed', peer.complete(session)),
    /** Sends an event as Stripe does. */
    deliver: ({payload, header}: {payload: string; header: string}) =>
      server.call('POST', `${base}/payments/stripe/webhook`, {
        origin: null,
        body: payload,
        headers: {'content-type': 'application/json; charset=utf-8', 'stripe-signature': header},
      }),
    close: async () => {
      await server.close()
      await peer.stop()
    },
  }
}

/** A server that sells, without models. */
export async function createShop(overrides: Partial<PaymentsConfig> = {}, sharing?: TestServer) {
  let service: OrderService | undefined
  const server = await createTestServer({
    config: {payments: shopPayments(overrides)},
    sharing,
    routes: (deps) => {
      service = createOrderService(deps, {tools: []})
      return [
        ...platformRoutes(deps, catalogue, noMedia, service.packages),
        ...orderRoutes(service),
        ...paymentRoutes(service),
      ]
    },
  })
  if (service === undefined) throw new Error('The routes were not made')
  return {server, service}
}

type Shop = Awaited<ReturnType<typeof createShop>>

/** A user with a general application and the calls of the order pages. */
export async function createBuyer(server: TestServer, buyer?: TestUser) {
  const user = buyer ?? (await server.createUser())
  const token = user.accessToken
  const send = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    ask(server, method, path, {token, body, headers})
  const {body: application} = await send('POST', '/applications/', {type: 'Usage', scope: 'Global'})
  const {asSystem} = server.deps.database
  return {
    user,
    token,
    application,
    send,
    packages: application.packages as {id: string; type: string; amount: number; price: number; duration?: number}[],
    packageOf: (type: string, amount: number): string => {
      const found = application.packages.find(
        (offer: {type: string; amount: number}) => offer.type === type && offer.amount === amount,
      )
      return found.id
    },
    order: async (body: object, headers?: Record<string, string>) => send('POST', '/orders/', body, headers),
    topUp: async (amount = 100) => (await send('POST', '/orders/', {application_id: application.id, amount})).body,
    pay: (id: string, way = 'Sandbox', more: object = {}) =>
      send('POST', `/orders/${id}/pay/`, {pay_way: way, ...more}),
    refresh: (id: string) => send('POST', `/orders/${id}/refresh/`),
    applicationOf: async (type: 'Usage' | 'Period') => {
      const [row] = await asSystem((transaction) =>
        transaction
          .select()
          .from(applications)
          .where(and(eq(applications.userId, user.user.id), eq(applications.type, type))),
      )
      return row
    },
    entries: () =>
      asSystem((transaction) => transaction.select().from(ledgerEntries).where(eq(ledgerEntries.userId, user.user.id))),
    payments: () =>
      asSystem((transaction) => transaction.select().from(payments).where(eq(payments.userId, user.user.id))),
    orderRow: async (id: string) => {
      const [row] = await asSystem((transaction) => transaction.select().from(orders).where(eq(orders.id, id)))
      return row
    },
  }
}
export type Buyer = Awaited<ReturnType<typeof createBuyer>>

/** An order as its owner sees it, also when the sign-in has ended. */
export async function viewOf({server, service}: Shop, buyer: Buyer, id: string) {
  const row = await buyer.orderRow(id)
  if (row === undefined) throw new Error(`No order ${id}`)
  const views = {...service.payments, now: server.deps.now()}
  const [view] = await server.deps.database.asSystem((transaction) => orderViews(transaction, [row], views))
  if (view === undefined) throw new Error(`No view of the order ${id}`)
  return view
}

/** Credits that orders have booked for a user. */
export const bought = async (buyer: Buyer): Promise<number> =>
  (await buyer.entries())
    .filter(({kind, reference}) => kind === 'grant' && reference.startsWith('order:'))
    .reduce((sum, {amount}) => sum + Number(amount), 0)

/** A button of the simulated payment's page, as its form sends it. */
export const press = (server: TestServer, url: string, outcome: 'pay' | 'decline' | 'expire') => {
  const {pathname} = new URL(url)
  return server.call('POST', pathname, {
    body: new URLSearchParams({outcome}),
    origin: testOrigin,
    headers: {'content-type': 'application/x-www-form-urlencoded'},
  })
}

export const openPage = async (server: TestServer, url: string, headers: Record<string, string> = {}) => {
  const {pathname} = new URL(url)
  const response = await server.call('GET', pathname, {origin: null, headers})
  return {status: response.status, text: await response.text(), headers: response.headers}
}
