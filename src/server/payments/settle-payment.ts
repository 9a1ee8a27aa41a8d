import {eq} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {finishOrder} from '../orders/finish-order.ts'
import {stateAt, updateOrder, type OrderRow} from '../orders/order-store.ts'
import type {Transaction} from '../store/database.ts'
import {payments, type SurplusReason} from '../store/schema/orders.ts'
import {users} from '../store/schema/people.ts'
import type {PaymentReport, PaymentRow} from './payment-provider.ts'
import {isOpen, lockPayment, moveTo} from './payment-store.ts'

const isPayable = ({state}: OrderRow) => state === 'Pending' || state === 'Failed'

/** Locks the row of the user: a deletion of the account waits until the payment is booked. */
async function isAccountDeleted(transaction: Transaction, {userId}: OrderRow): Promise<boolean> {
  const [owner] = await transaction
    .select({deletedAt: users.deletedAt})
    .from(users)
    .where(eq(users.id, userId))
    .for('share')
  return owner?.deletedAt != null
}

/** The bank has decided about the payment that an order waited for. */
const endOfProcessing = (payment: PaymentRow) => (isOpen(payment) ? {processingAt: null} : {})

export type Settle = ReturnType<typeof createSettle>

/** Enters what a provider says of a payment: the only way in which an order becomes paid. */
export function createSettle({config, database, log, now}: ServerDeps) {
  const recordPaid = async (transaction: Transaction, order: OrderRow, payment: PaymentRow): Promise<OrderRow> => {
    const at = now()
    await moveTo(transaction, payment, 'paid', {at})
    return updateOrder(transaction, order.id, {
      state: 'Paid',
      overdue: stateAt(order, at) === 'Expired',
      payWay: payment.way,
      paidAt: at,
      deletedAt: null,
      ...endOfProcessing(payment),
      updatedAt: at,
    })
  }

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

  /** Money that is not credited; the sweep gives it back. */
  const recordSurplus = async (
    transaction: Transaction,
    {order, payment}: {order: OrderRow; payment: PaymentRow},
    surplusReason: SurplusReason,
  ): Promise<void> => {
    const at = now()
    await transaction
      .update(payments)
      .set({state: 'surplus', surplusReason, unknownReason: null, confirmUrl: null, updatedAt: at})
      .where(eq(payments.id, payment.id))
    // money came for it: its owner sees it again, as after any payment
    await updateOrder(transaction, order.id, {...endOfProcessing(payment), deletedAt: null, updatedAt: at})
    log.warn('a payment is not credited and goes back', {payment: payment.id, order: order.id, reason: surplusReason})
  }

  const settlePaid = async (
    transaction: Transaction,
    {order, payment, amount}: {order: OrderRow; payment: PaymentRow; amount: number},
    isBooked: boolean,
  ): Promise<void> => {
    if (payment.state === 'paid' || payment.state === 'surplus' || payment.state === 'refunded') return
    if (amount !== payment.amount) return recordSurplus(transaction, {order, payment}, 'amount')
    if (await isAccountDeleted(transaction, order)) return recordSurplus(transaction, {order, payment}, 'account')
    if (order.state === 'Paid' || order.state === 'Finished')
      return recordSurplus(transaction, {order, payment}, 'paid')
    const paidOrder = await recordPaid(transaction, order, payment)
    if (isBooked) await finishOrder(config, transaction, paidOrder, now())
  }

  const settleOnce = async (paymentId: string, report: PaymentReport, isBooked: boolean): Promise<void> =>
    database.asSystem(async (transaction) => {
      const lockedPayment = await lockPayment(transaction, paymentId)
      if (lockedPayment === undefined || report.state === 'open') return
      const {order, payment} = lockedPayment
      if (report.state === 'paid') return settlePaid(transaction, {...lockedPayment, amount: report.amount}, isBooked)
      if (report.state === 'processing') return recordProcessing(transaction, lockedPayment, report.confirmUrl)
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
