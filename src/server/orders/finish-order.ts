import {eq, sql} from 'drizzle-orm'
import type {Config} from '../config.ts'
import {bookReward} from '../distribution/rewards.ts'
import {grantCredits} from '../ledger/ledger.ts'
import type {Transaction} from '../store/database.ts'
import type {OrderItem} from '../store/schema/orders.ts'
import {applications} from '../store/schema/platform.ts'
import {updateOrder, type OrderRow} from './order-store.ts'

/**
 * Books what was bought, rewards the buyer's inviter and ends the order, in the caller's transaction with the order
 * locked: credits and reward exist exactly when the order is `Finished`. A period begins when the one before it ends,
 * or now. Applications are locked in the order of their ids, so that two orders never wait for each other.
 */
export async function finishOrder(
  config: Pick<Config, 'distributionLevels'>,
  transaction: Transaction,
  order: OrderRow,
  now: Date,
): Promise<OrderRow> {
  if (order.state !== 'Paid') throw new Error(`An order that is ${order.state} cannot be finished`)
  const items = order.items.map((item, index) => ({...item, reference: `order:${order.id}:${index}`}))
  for (const item of items.toSorted((one, other) => (one.applicationId < other.applicationId ? -1 : 1))) {
    await grantCredits(transaction, {
      applicationId: item.applicationId,
      userId: order.userId,
      amount: String(item.amount),
      reference: item.reference,
    })
    await extend(transaction, item, now)
  }
  await bookReward({config, now: () => now}, transaction, order)
  return updateOrder(transaction, order.id, {state: 'Finished', finishedAt: now, updatedAt: now})
}

/** Also restores an application that its owner has removed since: its user has paid for it. */
async function extend(transaction: Transaction, {applicationId, duration}: OrderItem, now: Date): Promise<void> {
  const moment = sql`${now.toISOString()}::timestamptz`
  const end = sql`greatest(coalesce(${applications.expiredAt}, ${moment}), ${moment}) + make_interval(secs => ${duration ?? 0})`
  await transaction
    .update(applications)
    .set({deletedAt: null, updatedAt: now, ...(duration === undefined ? {} : {expiredAt: end})})
    .where(eq(applications.id, applicationId))
}
