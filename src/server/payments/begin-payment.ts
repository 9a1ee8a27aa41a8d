import {eq} from 'drizzle-orm'
import type {PayWay} from '#contract/orders.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest, HttpFailure} from '../http/failure.ts'
import {lockOrder, readOrder, stateAt, updateOrder, type OrderRow} from '../orders/order-store.ts'
import type {Transaction} from '../store/database.ts'
import {payments} from '../store/schema/orders.ts'
import type {Closing} from './close-payment.ts'
import {orderPaid, paymentProcessing} from './payment-failures.ts'
import {providerAway, type PaymentProvider, type PaymentRow} from './payment-provider.ts'
import {lockPayment, openPayment} from './payment-store.ts'
import type {PayWays} from './payment-ways.ts'

/** How a payment is begun: what the provider shows, and where it leads back to. */
type PaymentWish = {way: PayWay; title: string; returnUrl: string; locale: string; baseUrl: string}

type BeginSteps = Closing &
  Pick<PayWays, 'providerOf' | 'waysFor'> & {
    askIfDue: (order: Pick<OrderRow, 'id' | 'processingAt'>) => Promise<void>
  }

/** Tabs that change the way of payment under each other give up after this many turns. */
const mostTurns = 4

/** Begins a payment, or finds the open one again. Two tabs get the same page. */
export function createBegin(
  {database, now}: Pick<ServerDeps, 'database' | 'now'>,
  {close, closeOpening, providerOf, waysFor, askIfDue}: BeginSteps,
) {
  /** Opens the page of a payment at its provider. @returns whether this payment has a page */
  const openPage = async (provider: PaymentProvider, payment: PaymentRow): Promise<boolean> => {
    try {
      const page = await provider.open(payment)
      return await database.asSystem((transaction) => handOut(transaction, payment, page, now))
    } catch (error) {
      // if another tab got the page since, it is the page of this request as well
      if ((await closeOpening(payment.id)) !== undefined) return true
      throw providerAway(error)
    }
  }

  const closeOther = (payment: PaymentRow): Promise<void> =>
    close(payment).catch((error: unknown) => {
      throw providerAway(error)
    })

  /** Whether an open page may be handed out again: its payer may have been there. */
  const isStillOpen = async (orderId: string, {id}: PaymentRow): Promise<boolean> => {
    await askIfDue({id: orderId, processingAt: null})
    return database.asSystem(async (transaction) => {
      const open = await openPayment(transaction, orderId)
      const order = await readOrder(transaction, orderId)
      return open?.id === id && order?.processingAt === null
    })
  }

  return async (orderId: string, price: number, wish: PaymentWish): Promise<void> => {
    const provider = providerOf(wish.way)
    if (provider === undefined || !waysFor(price).includes(wish.way)) throw badRequest('payWayNotOffered', 'pay_way')
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const payment = await database.asSystem((transaction) => paymentFor(transaction, orderId, wish, now))
      if (payment.way !== wish.way) await closeOther(payment)
      else if (payment.state === 'opening') {
        if (await openPage(provider, payment)) return
      } else if (await isStillOpen(orderId, payment)) return
    }
    throw new HttpFailure(409, 'conflict', 'payWayChanged')
  }
}

/** The open payment of the order, also one of another way, which has to be closed first; else a new one. */
async function paymentFor(
  transaction: Transaction,
  orderId: string,
  wish: PaymentWish,
  now: () => Date,
): Promise<PaymentRow> {
  const order = await lockOrder(transaction, orderId)
  // another one may have held it until the order expired
  const at = now()
  const state = stateAt(order, at)
  if (state === 'Paid' || state === 'Finished') throw orderPaid()
  if (order.processingAt !== null) throw paymentProcessing()
  if (state === 'Expired') throw new HttpFailure(409, 'conflict', 'orderExpired')
  const present = await openPayment(transaction, orderId)
  if (present !== undefined) return present
  const {userId, price: amount, expiresAt} = order
  const [payment] = await transaction
    .insert(payments)
    .values({userId, orderId, ...wish, amount, expiresAt, createdAt: at, updatedAt: at})
    .returning()
  if (payment === undefined) throw new Error('The new payment was not returned')
  return payment
}

/** Whether the page of the provider is the payment's. Not when the payment was closed while the provider made it. */
async function handOut(
  transaction: Transaction,
  payment: PaymentRow,
  page: {reference: string; url: string},
  now: () => Date,
): Promise<boolean> {
  const lockedPayment = await lockPayment(transaction, payment.id)
  if (lockedPayment === undefined) return false
  if (lockedPayment.payment.state !== 'opening') return lockedPayment.payment.reference === page.reference
  const at = now()
  await transaction
    .update(payments)
    .set({state: 'open', ...page, updatedAt: at})
    .where(eq(payments.id, payment.id))
  await updateOrder(transaction, payment.orderId, {payWay: payment.way, updatedAt: at})
  return true
}
