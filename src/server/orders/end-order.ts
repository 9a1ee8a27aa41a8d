import type {ServerDeps} from '../deps.ts'
import {moveTo, openPayment} from '../payments/payment-store.ts'
import {finishOrder} from './finish-order.ts'
import {lockOrder, stateAt, updateOrder} from './order-store.ts'

/** The steps that end an order. Each is one transaction under the order's row lock, and does nothing a second time. */
export function createOrderEnds({config, database, now}: Pick<ServerDeps, 'config' | 'database' | 'now'>) {
  /** Ends a free order. */
  const finishFree = async (orderId: string): Promise<void> =>
    database.asSystem(async (transaction) => {
      const order = await lockOrder(transaction, orderId)
      if (order.price !== 0 || order.state !== 'Pending') return
      const at = now()
      const paidOrder = await updateOrder(transaction, orderId, {state: 'Paid', paidAt: at, updatedAt: at})
      await finishOrder(config, transaction, paidOrder, at)
    })

  /** Books the credits of an order that is paid. */
  const finishPaid = async (orderId: string): Promise<void> =>
    database.asSystem(async (transaction) => {
      const order = await lockOrder(transaction, orderId)
      if (order.state === 'Paid') await finishOrder(config, transaction, order, now())
    })

  /** Ends an expired order, once no page is open on which it can be paid. */
  const expire = async (orderId: string): Promise<void> =>
    database.asSystem(async (transaction) => {
      const order = await lockOrder(transaction, orderId)
      const at = now()
      if (stateAt(order, at) !== 'Expired' || order.state === 'Expired') return
      const open = await openPayment(transaction, orderId)
      if (open?.state === 'open') return
      // a payment in state `opening` has handed out no page
      if (open !== undefined) await moveTo(transaction, open, 'closed', {at})
      await updateOrder(transaction, orderId, {state: 'Expired', updatedAt: at})
    })

  return {finishFree, finishPaid, expire}
}
