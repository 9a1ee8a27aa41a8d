import {eq} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {updateOrder, type OrderRow} from '../orders/order-store.ts'
import type {Transaction} from '../store/database.ts'
import {payments} from '../store/schema/orders.ts'
import type {PaymentReport, PaymentRow} from './payment-provider.ts'
import {isOpen, lockPayment, moveTo} from './payment-store.ts'
import {createSettlePaid, isAccountDeleted} from './settle-paid.ts'

type UnpaidReport = Extract<PaymentReport, {state: 'declined' | 'closed' | 'expired'}>

const isPayable = ({state}: OrderRow) => state === 'Pending' || state === 'Failed'

export type Settle = ReturnType<typeof createSettle>

/** Enters what a provider says of a payment: the only way in which an order becomes paid. */
export function createSettle({config, database, log, now}: ServerDeps) {
  const settlePaid = createSettlePaid({config, log, now})

  /** The payer has done everything, up to a page on which they may have to confirm it; their bank decides. */
  const recordProcessing = async (
    transaction: Transaction,
    {order, payment}: {order: OrderRow; payment: PaymentRow},
    confirmUrl: string | undefined,
  ): Promise<void> => {
    if (!isOpen(payment) || !isPayable(order)) return
    const at = now()
    // what was erased with an account is not written again
    const isKept = confirmUrl !== undefined && !(await isAccountDeleted(transaction, order))
    const nextUrl = isKept ? confirmUrl : null
    if (payment.confirmUrl !== nextUrl)
      await transaction.update(payments).set({confirmUrl: nextUrl, updatedAt: at}).where(eq(payments.id, payment.id))
    if (order.processingAt !== null) return
    await updateOrder(transaction, order.id, {processingAt: at, updatedAt: at})
  }

  /** The payment ended without money. */
  const recordUnpaid = async (
    transaction: Transaction,
    {order, payment}: {order: OrderRow; payment: PaymentRow},
    report: UnpaidReport,
  ): Promise<void> => {
    const at = now()
    const unknownReason = report.state === 'closed' ? report.unknownReason : undefined
    if (!isOpen(payment)) {
      // its provider can say after all that it was not paid
      if (payment.unknownReason !== null && unknownReason === undefined)
        await moveTo(transaction, payment, 'closed', {at})
      return
    }
    const state = report.state === 'declined' ? 'declined' : 'closed'
    await moveTo(transaction, payment, state, {at, unknownReason})
    if (!isPayable(order)) return
    const next = report.state === 'declined' ? 'Failed' : report.state === 'expired' ? 'Expired' : order.state
    if (next !== order.state || order.processingAt !== null)
      await updateOrder(transaction, order.id, {state: next, processingAt: null, updatedAt: at})
  }

  const settleOnce = async (paymentId: string, report: PaymentReport, isBooked: boolean): Promise<void> =>
    database.asSystem(async (transaction) => {
      const lockedPayment = await lockPayment(transaction, paymentId)
      if (lockedPayment === undefined || report.state === 'open') return
      if (report.state === 'paid') return settlePaid(transaction, {...lockedPayment, amount: report.amount}, isBooked)
      if (report.state === 'processing') return recordProcessing(transaction, lockedPayment, report.confirmUrl)
      return recordUnpaid(transaction, lockedPayment, report)
    })

  /**
   * Enters a provider's report. A payment is recorded even if its credits cannot be booked yet: the sweep books them.
   */
  return async (paymentId: string, report: PaymentReport): Promise<void> => {
    try {
      await settleOnce(paymentId, report, true)
    } catch (error) {
      if (report.state !== 'paid') throw error
      log.error('credits of a payment are not booked yet', {payment: paymentId, ...describeError(error)})
      await settleOnce(paymentId, report, false)
    }
  }
}
