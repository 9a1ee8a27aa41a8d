import {eq} from 'drizzle-orm'
import {z} from '#contract/schema.ts'
import {findSiteFace, leave, readLoginView} from '../auth/login-view.ts'
import {badRequest, notFound} from '../http/failure.ts'
import {readText} from '../http/parse.ts'
import {managementRoute, route, type Route} from '../http/route.ts'
import type {OrderService} from '../orders/order-service.ts'
import {payments as paymentTable} from '../store/schema/orders.ts'
import {isUuid} from '../platform/fields.ts'
import {PaymentFailure, providerAway, type PaymentReport, type PaymentRow} from './payment-provider.ts'
import {sandboxOutcomes, sandboxPage} from './sandbox-page.ts'
import {paymentOfHandle} from './sandbox-payments.ts'
import type {StripeHint, StripePayments} from './stripe-payments.ts'

const outcomeForm = z.object({outcome: z.enum(sandboxOutcomes)})

/** The routes for others without an account: the simulated payment's page by its handle, Stripe's signed webhooks. */
export const paymentRoutes = (service: OrderService): Route[] => [
  ...(service.deps.config.payments.sandbox ? sandboxRoutes(service) : []),
  ...(service.stripe !== undefined && service.deps.config.payments.stripe?.webhookSecret !== undefined
    ? [webhookRoute(service, service.stripe)]
    : []),
]

/** None of a deleted account, whose words are erased. */
const originOf = ({returnUrl}: PaymentRow): string | undefined =>
  URL.canParse(returnUrl) ? new URL(returnUrl).origin : undefined

/** The id may be anything that another application on the same account wrote. */
const findPayment = async ({deps}: OrderService, id: string): Promise<PaymentRow | undefined> => {
  if (!isUuid(id)) return undefined
  const [payment] = await deps.database.asSystem((transaction) =>
    transaction.select().from(paymentTable).where(eq(paymentTable.id, id)),
  )
  return payment
}

function sandboxRoutes(service: OrderService): Route[] {
  const {deps, payments} = service
  const path = '/payments/sandbox/:handle'

  const find = async ({handle = ''}: Record<string, string>): Promise<PaymentRow> => {
    const id = paymentOfHandle(deps, handle)
    const payment = id === undefined ? undefined : await findPayment(service, id)
    if (payment === undefined) throw notFound()
    return payment
  }
  const isOpen = ({state, expiresAt}: PaymentRow) => state === 'open' && expiresAt > deps.now()
  const reportOf = (payment: PaymentRow, outcome: (typeof sandboxOutcomes)[number]): PaymentReport => {
    // the page closes with the order, also while it is open in a tab
    if (outcome === 'expire' || !isOpen(payment)) return {state: 'expired'}
    return outcome === 'decline' ? {state: 'declined'} : {state: 'paid', amount: payment.amount}
  }

  return [
    route({
      service: 'platform',
      method: 'GET',
      path,
      policy: 'public',
      handle: async ({params, context}) => {
        const payment = await find(params)
        const {page} = await readLoginView(deps, context.req.raw)
        const site = await findSiteFace(deps, page.hub, [originOf(payment), page.hub])
        const pageView = {...page, site, target: {kind: 'none'} as const}
        return sandboxPage(pageView, payment, isOpen(payment))
      },
    }),
    route({
      service: 'platform',
      method: 'POST',
      path,
      policy: 'public',
      accepts: 'form',
      limit: 'pay',
      body: outcomeForm,
      handle: async ({params, body, context}) => {
        const payment = await find(params)
        if (payment.state === 'open') await payments.settle(payment.id, reportOf(payment, body.outcome))
        // by path: behind a proxy that ends TLS the address here is another one than the browser's
        return leave(new URL(context.req.url).pathname)
      },
    }),
  ]
}

/**
 * Stripe reports a change of a payment, and the server asks Stripe for its state. Only a signed event counts, and only
 * for the payment and order in it; an event about a foreign payment is acknowledged and ignored, since it
 * would come again.
 */
function webhookRoute(service: OrderService, stripe: StripePayments): Route {
  const {deps, payments} = service
  return managementRoute('POST', '/payments/stripe/webhook', 'public', {
    handle: async ({context}) => {
      const body = await readText(context.req.raw, 'json')
      const hint = readHint(stripe, body, context.req.header('stripe-signature') ?? '', deps.now())
      if (hint?.kind === 'reversal') await enterReversal(service, stripe, hint)
      if (hint?.kind === 'payment') {
        const payment = await findPayment(service, hint.paymentId)
        const isOurs =
          payment?.way === 'Stripe' &&
          payment.orderId === hint.orderId &&
          (payment.reference === null || payment.reference === hint.reference)
        if (isOurs) await payments.lookUp(payment, hint.reference)
        else deps.log.warn('a webhook is about no payment of ours', {reference: hint.reference})
      }
      return Response.json({received: true})
    },
  })
}

/**
 * Money went back at Stripe, by the operator's hand or by the payer's bank, or did not arrive there. Credits and reward
 * stay (docs/decisions/0090); the log says so to the operator. What we gave back is news only if it failed.
 */
async function enterReversal(
  service: OrderService,
  stripe: StripePayments,
  {event, intent, subject}: Extract<StripeHint, {kind: 'reversal'}>,
): Promise<void> {
  const {deps, payments} = service
  const names = await stripe.paymentBehind(intent).catch((error: unknown) => {
    throw providerAway(error)
  })
  const payment = names && (await findPayment(service, names.paymentId))
  if (payment?.way !== 'Stripe' || payment.orderId !== names?.orderId) return
  const fields = {event, intent, payment: payment.id, order: payment.orderId}
  const goesBack = payment.state === 'surplus' || payment.state === 'refunded'
  if (event === 'refund.failed') {
    // one of a payment that still goes back is tried again
    if (goesBack) await payments.lookUpRefund(payment, subject)
    else deps.log.error('a refund that was made at Stripe failed there', fields)
    return
  }
  if (!goesBack) deps.log.error('money went back at Stripe; credits and reward stay', fields)
  else if (event === 'charge.dispute.created') deps.log.error('a payment that is given back is disputed', fields)
}

function readHint(stripe: StripePayments, body: string, signature: string, now: Date) {
  try {
    return stripe.readEvent(body, signature, now)
  } catch (error) {
    if (error instanceof PaymentFailure) throw badRequest('webhookSignature')
    throw error
  }
}
