import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {readOrder, type OrderRow} from '../orders/order-store.ts'
import {providerAway, type PaymentRow} from './payment-provider.ts'
import {takeDuePayment} from './payment-store.ts'
import type {PayWays} from './payment-ways.ts'
import type {Settle} from './settle-payment.ts'

type AskSteps = {
  settle: Settle
  providerOf: PayWays['providerOf']
  close: (payment: PaymentRow) => Promise<void>
}

/** However many tabs poll an order, its provider is asked once in this time. */
const askMilliseconds = 5_000
/** The same for a payment that a bank works on for days. */
const processingAskMilliseconds = 60_000

/** Asks providers about payments, and settles what they report. */
export function createAsking(
  {database, log, now}: Pick<ServerDeps, 'database' | 'log' | 'now'>,
  {settle, providerOf, close}: AskSteps,
) {
  /** Whether nothing is owed for the payment: it has expired, or its order is paid in another way. */
  const isOver = async ({expiresAt, orderId}: PaymentRow): Promise<boolean> => {
    const order = await database.asSystem((transaction) => readOrder(transaction, orderId))
    if (order?.state === 'Paid' || order?.state === 'Finished') return true
    return expiresAt <= now() && order?.processingAt == null
  }

  /** Asks the provider about a payment. Closes one that is over, unless it was paid at the last moment. */
  const askAbout = async (payment: PaymentRow): Promise<void> => {
    if (await isOver(payment)) return close(payment)
    const provider = providerOf(payment.way)
    if (payment.reference === null || provider === undefined) return
    await settle(payment.id, await provider.check(payment.reference))
  }

  /** Asks about the open payment of an order, unless another request did a moment ago. */
  const askIfDue = async ({id: orderId, processingAt}: Pick<OrderRow, 'id' | 'processingAt'>): Promise<void> => {
    const at = now()
    const pace = processingAt === null ? askMilliseconds : processingAskMilliseconds
    const askedBefore = new Date(at.getTime() - pace)
    const due = await database.asSystem((transaction) => takeDuePayment(transaction, orderId, {now: at, askedBefore}))
    if (due === undefined) return
    try {
      await askAbout(due)
    } catch (error) {
      log.warn('a payment provider does not answer', {order: orderId, payment: due.id, ...describeError(error)})
    }
  }

  /**
   * Asks about a payment since its provider reports a change of it.
   *
   * @throws HttpFailure 502 if the provider does not answer; it reports the change again
   */
  const lookUp = async ({id, way}: PaymentRow, reference: string): Promise<void> => {
    const report = await providerOf(way)
      ?.check(reference)
      .catch((error: unknown) => {
        throw providerAway(error)
      })
    if (report !== undefined) await settle(id, report)
  }

  return {askAbout, askIfDue, lookUp}
}
