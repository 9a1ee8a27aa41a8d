import {and, eq, inArray, isNull} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {payableStates} from '../orders/order-store.ts'
import type {Payments} from '../payments/payments.ts'
import {orders} from '../store/schema/orders.ts'

/**
 * Closes the open payments of a user who leaves, so that nobody pays for an account that is gone. Where a provider does not
 * answer, the sweep closes the page when its order's time is over. Money that came before counts and stays in the books; money
 * that comes after it, such as from a bank that took days, goes back.
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
