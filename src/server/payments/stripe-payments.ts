import Stripe from 'stripe'
import type {StripeConfig} from '../config-payments.ts'
import {
  PaymentFailure,
  PaymentUnknown,
  type PaymentProvider,
  type PaymentReport,
  type PaymentRow,
  type RefundReport,
} from './payment-provider.ts'

type Session = Pick<
  Stripe.Checkout.Session,
  'status' | 'payment_status' | 'amount_total' | 'currency' | 'payment_intent'
>

/**
 * Which payment a signed event is about, or that its money went back at Stripe: `intent` is Stripe's name of a payment,
 * `subject` that of the charge, dispute or refund.
 */
export type StripeHint =
  | {kind: 'payment'; reference: string; orderId: string; paymentId: string}
  | {kind: 'reversal'; event: ReversalEvent; intent: string; subject: string}

const reversalEvents = ['charge.refunded', 'charge.dispute.created', 'refund.failed'] as const
type ReversalEvent = (typeof reversalEvents)[number]

export type StripePayments = PaymentProvider & {
  /**
   * Reads from a webhook which payment it concerns, not its state: the object has the API version of the endpoint in
   * the dashboard, in which an amount or a currency may mean something else. `undefined` for an event about a foreign
   * payment.
   *
   * @throws PaymentFailure when the signature is wrong or older than five minutes at `now`
   */
  readEvent: (body: string, signature: string, now: Date) => StripeHint | undefined
  /** Our names of a payment that Stripe names; `undefined` for one that another application made on the account. */
  paymentBehind: (intent: string) => Promise<{orderId: string; paymentId: string} | undefined>
}

const timeoutMilliseconds = 10_000
const signatureSeconds = 300
/** Stripe takes no payment below half a dollar. */
const leastCents = 50
/** Stripe keeps a page open for 30 minutes at least; one more for the way there. */
const leastOpenMilliseconds = 31 * 60_000

/** Languages of Stripe's page; the others follow the browser. */
const stripeLocales = new Set(['de', 'el', 'en', 'es', 'fi', 'fr', 'it', 'ja', 'ko', 'pl', 'pt', 'ru', 'sv', 'zh-TW'])
const localeOf = (locale: string): string => (locale === 'zh-CN' ? 'zh' : stripeLocales.has(locale) ? locale : 'auto')

const hasCode = (error: unknown, code: string) => error instanceof Stripe.errors.StripeError && error.code === code

/** Names of what went wrong only: Stripe's sentences may quote what was sent. */
function toFailure(error: unknown): PaymentFailure {
  if (!(error instanceof Stripe.errors.StripeError)) return new PaymentFailure('Stripe: unexpected answer')
  const Failure = hasCode(error, 'resource_missing') ? PaymentUnknown : PaymentFailure
  return new Failure(`Stripe: ${[error.type, error.code, error.statusCode].filter(Boolean).join(' ')}`)
}

async function ask<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof PaymentFailure ? error : toFailure(error)
  }
}

function reportOf(session: Session): PaymentReport {
  if (session.payment_status === 'paid')
    // another currency is not what was asked for: an amount that matches nothing
    return {state: 'paid', amount: session.currency === 'usd' ? (session.amount_total ?? -1) : -1}
  // also when we asked for it, and its webhook is here before the answer: another payment of the order may be next
  if (session.status === 'expired') return {state: 'closed'}
  if (session.status !== 'complete') return {state: 'open'}
  // the payer has done everything: a bank debit, a transfer or a voucher takes days
  return isDeclined(session) ? {state: 'declined'} : {state: 'processing', confirmUrl: confirmUrlOf(session)}
}

const intentOf = ({payment_intent: intent}: Session): Stripe.PaymentIntent | undefined =>
  intent === null || typeof intent === 'string' ? undefined : intent

/** A page that is complete cannot be paid a second time. */
const isDeclined = (session: Session): boolean => {
  const status = intentOf(session)?.status
  return status === 'requires_payment_method' || status === 'canceled'
}

/** The page of Stripe on which the payer says which small deposits came to their account. */
const confirmUrlOf = (session: Session): string | undefined =>
  intentOf(session)?.next_action?.verify_with_microdeposits?.hosted_verification_url ?? undefined

const refundReports: Readonly<Record<string, RefundReport>> = {
  succeeded: 'arrived',
  failed: 'failed',
  canceled: 'failed',
}
/** Until the payer's bank has it, and while the payer has to say to which account. */
const reportOfRefund = ({status}: Stripe.Refund): RefundReport => refundReports[status ?? ''] ?? 'underway'

function namesIn(metadata: Stripe.Metadata | null): {orderId: string; paymentId: string} | undefined {
  const {order_id: orderId, payment_id: paymentId} = metadata ?? {}
  return orderId === undefined || paymentId === undefined ? undefined : {orderId, paymentId}
}

const sessionEvents = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
])

/** Stripe Checkout: the payer is led to Stripe's page; what happened comes by webhook, and is asked for as well. */
export function createStripePayments({secretKey, webhookSecret, baseUrl}: StripeConfig): StripePayments {
  const stripe = createClient(secretKey, new URL(baseUrl))
  const {sessions} = stripe.checkout

  const open = (payment: PaymentRow) =>
    ask(async () => {
      const session = await sessions.create(sessionFor(payment), {idempotencyKey: `open-${payment.id}`})
      if (session.url === null) throw new PaymentFailure('Stripe: a session without a page')
      return {reference: session.id, url: session.url}
    })

  const check = (reference: string) =>
    ask(async () => reportOf(await sessions.retrieve(reference, {expand: ['payment_intent']})))

  /** The operator gave the money back in the dashboard, or our own refund is there without its answer. */
  const refundBefore = async (intent: string, error: unknown): Promise<Stripe.Refund | undefined> => {
    if (!hasCode(error, 'charge_already_refunded')) throw error
    const {data} = await stripe.refunds.list({payment_intent: intent})
    return data.find((refund) => reportOfRefund(refund) !== 'failed')
  }

  return {
    way: 'Stripe',
    leastAmount: leastCents,
    open,
    check,
    close: async (reference) => {
      const report = await check(reference)
      if (report.state !== 'open') return report
      try {
        await sessions.expire(reference)
        return {state: 'closed'}
      } catch {
        // paid or ended between the two calls; still open, the next sweep closes it
        return check(reference)
      }
    },
    refund: ({id, reference, sweptAt}) =>
      ask(async () => {
        const {payment_intent: intent} = await sessions.retrieve(reference)
        if (intent === null) throw new PaymentFailure('Stripe: a paid session without a payment')
        // of this attempt: the same answer to the next one would be the same failure; Stripe gives no money back twice
        const idempotencyKey = `refund-${id}-${sweptAt?.getTime() ?? 0}`
        const name = typeof intent === 'string' ? intent : intent.id
        const refund = await stripe.refunds
          .create({payment_intent: name}, {idempotencyKey})
          .catch((error: unknown) => refundBefore(name, error))
        if (refund !== undefined && reportOfRefund(refund) === 'failed')
          throw new PaymentFailure(`Stripe: a refund is ${refund.status}`)
        return refund?.id
      }),
    checkRefund: (reference) =>
      ask(async () => {
        try {
          return reportOfRefund(await stripe.refunds.retrieve(reference))
        } catch (error) {
          if (hasCode(error, 'resource_missing')) return 'unknown'
          throw error
        }
      }),
    paymentBehind: (intent) =>
      ask(async () => {
        const {metadata} = await stripe.paymentIntents.retrieve(intent)
        return namesIn(metadata)
      }),
    readEvent: (body, signature, now) => {
      let event: Stripe.Event
      try {
        event = stripe.webhooks.constructEvent(
          body,
          signature,
          webhookSecret ?? '',
          signatureSeconds,
          undefined,
          now.getTime(),
        )
      } catch {
        throw new PaymentFailure('Stripe: wrong signature')
      }
      return hintOf(event)
    },
  }
}

function createClient(secretKey: string, address: URL): Stripe {
  const isPlain = address.protocol === 'http:'
  return new Stripe(secretKey, {
    host: address.hostname,
    port: address.port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    timeout: timeoutMilliseconds,
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

/** The page on which this payment is paid. */
function sessionFor(payment: PaymentRow): Stripe.Checkout.SessionCreateParams {
  const metadata = {order_id: payment.orderId, payment_id: payment.id}
  const closesAt = Math.max(payment.expiresAt.getTime(), payment.createdAt.getTime() + leastOpenMilliseconds)
  return {
    mode: 'payment',
    // the payer's own currency would come as another amount
    adaptive_pricing: {enabled: false},
    line_items: [
      {
        quantity: 1,
        price_data: {currency: 'usd', unit_amount: payment.amount, product_data: {name: payment.title}},
      },
    ],
    client_reference_id: payment.orderId,
    metadata,
    payment_intent_data: {metadata},
    success_url: payment.returnUrl,
    cancel_url: payment.returnUrl,
    expires_at: Math.floor(closesAt / 1000),
    locale: localeOf(payment.locale),
  }
}

/** The payment that a signed event is about; `undefined` for one of another application on the account. */
function hintOf(event: Stripe.Event): StripeHint | undefined {
  const reversal = reversalEvents.find((type) => type === event.type)
  if (reversal !== undefined) {
    const {id, payment_intent: intent} = event.data.object as Stripe.Refund // as: charge, dispute and refund all have both
    const name = typeof intent === 'string' ? intent : intent?.id
    return name === undefined ? undefined : {kind: 'reversal', event: reversal, intent: name, subject: id}
  }
  if (!sessionEvents.has(event.type)) return undefined
  const session = event.data.object as Stripe.Checkout.Session // as: the object of these events
  const names = namesIn(session.metadata)
  return names && {kind: 'payment', reference: session.id, ...names}
}
