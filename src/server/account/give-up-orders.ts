import {and, eq, inArray, isNull} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {payableStates} from '../orders/order-store.ts'
import type {Payments} from '../payments/payments.ts'
import {orders} from '../store/schema/orders.ts'

/**
 * Closes the open payments of a user who deletes their account, so that nobody pays for it afterwards. If a provider
 * does not answer, the sweep closes the page when the order expires. A payment that arrived before counts and stays in
 * the books; one that arrives later, such as from a bank that took days, is refunded.
 */
export const createGiveUpOrders =
  ({database, log}: Pick<ServerDeps, 'database' | 'log'>, payments: Pick<Payments, 'abandon'>) =>
  async (userId: string): Promise<void> => {
    const payable = await database.asSystem((transaction) =>
      transaction
        .select({id: orders.id})
        .from(orders)
        .where(and(eq(orders.userId, userId), inArray(orders.state, [...payableStates]), isNull(orders.deletedAt))),
    )
    for (const {id} of payable)
      await payments
        .abandon(id)
        .catch((error: unknown) =>
          log.warn('a payment of a deleted account stays open', {order: id, ...describeError(error)}),
        )
  }
