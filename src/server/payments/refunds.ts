import {and, eq} from 'drizzle-orm'
import type {PayWay} from '#contract/orders.ts'
import type {ServerDeps} from '../deps.ts'
import {updateOrder} from '../orders/order-store.ts'
import {payments} from '../store/schema/orders.ts'
import {providerAway, type PaymentProvider, type PaymentRow} from './payment-provider.ts'
import {lockPayment} from './payment-store.ts'

type RefundedPayment = PaymentRow & {refundReference: string}

/** Banks send money back that they cannot enter for some weeks, also after the provider has said that it arrived. */
const watchedMilliseconds = 30 * 86_400_000

/** Money that is given back, and what becomes of it days later (docs/decisions/0100). */
export function createRefunds(
  {database, log, now}: Pick<ServerDeps, 'database' | 'log' | 'now'>,
  providerOf: (way: PayWay) => PaymentProvider | undefined,
) {
  const giveBack = async (payment: PaymentRow): Promise<void> => {
    const provider = providerOf(payment.way)
    const {reference} = payment
    if (provider === undefined || reference === null) throw new Error(`Nobody can give payment ${payment.id} back`)
    const refundReference = await provider.refund({...payment, reference})
    const refundState = refundReference === undefined ? 'ended' : 'underway'
    const values = {state: 'refunded', refundState, refundReference, updatedAt: now()} as const
    await database.asSystem((transaction) =>
      transaction.update(payments).set(values).where(eq(payments.id, payment.id)),
    )
  }

  /** Its payer has to be paid in another way, and sees that on the order. A second report changes nothing. */
  const recordFailure = async ({id: paymentId, orderId}: PaymentRow, reference: string): Promise<void> =>
    database.asSystem(async (transaction) => {
      const {payment} = (await lockPayment(transaction, paymentId)) ?? {}
      // null: given back by a server that did not keep the name
      const isKept = payment?.refundState === 'underway' && payment.refundReference === reference
      if (payment?.state !== 'refunded' || !(isKept || payment.refundState === null)) return
      const updatedAt = now()
      const values = {refundState: 'failed', refundReference: reference, updatedAt} as const
      await transaction.update(payments).set(values).where(eq(payments.id, paymentId))
      await updateOrder(transaction, orderId, {deletedAt: null, updatedAt})
      log.error('a refund failed; its payer has to be paid in another way', {
        payment: paymentId,
        order: orderId,
        refund: reference,
      })
    })

  /** Asks about a refund that may still fail, until it can no longer. */
  const askAbout = async (payment: RefundedPayment): Promise<void> => {
    const {id, way, refundReference, updatedAt} = payment
    const report = await providerOf(way)?.checkRefund(refundReference)
    if (report === 'failed') return recordFailure(payment, refundReference)
    if (report === undefined || report === 'underway') return
    if (now().getTime() - updatedAt.getTime() < watchedMilliseconds) return
    await database.asSystem((transaction) =>
      transaction
        .update(payments)
        .set({refundState: 'ended'})
        .where(and(eq(payments.id, id), eq(payments.refundState, 'underway'))),
    )
  }

  /**
   * Asks about a refund since its provider says that it failed.
   *
   * @throws HttpFailure 502 where it does not answer; it says so again later
   */
  const lookUp = async (payment: PaymentRow, reference: string): Promise<void> => {
    const report = await providerOf(payment.way)
      ?.checkRefund(reference)
      .catch((error: unknown) => {
        throw providerAway(error)
      })
    if (report === 'failed') await recordFailure(payment, reference)
  }

  return {giveBack, askAbout, lookUp}
}
