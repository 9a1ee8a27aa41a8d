import {eq} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {finishOrder} from '../orders/finish-order.ts'
import {stateAt, updateOrder, type OrderRow} from '../orders/order-store.ts'
import type {Transaction} from '../store/database.ts'
import {payments, type SurplusReason} from '../store/schema/orders.ts'
import {users} from '../store/schema/people.ts'
import type {PaymentRow} from './payment-provider.ts'
import {isOpen, moveTo} from './payment-store.ts'

/** Locks the row of the user: a deletion of the account waits until the payment is booked. */
export async function isAccountDeleted(transaction: Transaction, {userId}: OrderRow): Promise<boolean> {
  const [owner] = await transaction
    .select({deletedAt: users.deletedAt})
    .from(users)
    .where(eq(users.id, userId))
    .for('share')
  return owner?.deletedAt != null
}

/** The bank has decided about the payment that an order waited for. */
const endOfProcessing = (payment: PaymentRow) => (isOpen(payment) ? {processingAt: null} : {})

/**
 * Enters that money came for an order: the order is paid, or the money is surplus and goes back. `isBooked`: its
 * credits are booked as well.
 */
export function createSettlePaid({config, log, now}: Pick<ServerDeps, 'config' | 'log' | 'now'>) {
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

  return async (
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
}
