import {desc, eq} from 'drizzle-orm'
import {createLedger} from '../ledger/postgres-ledger.ts'
import {finishOrder, type FinishParts} from '../orders/finish-order.ts'
import {lockOrder, stateAt, updateOrder} from '../orders/order-store.ts'
import {isUuid} from '../platform/fields.ts'
import {StartFailure} from '../start-failure.ts'
import type {Database} from '../store/database.ts'
import {orders} from '../store/schema/orders.ts'
import {findAccount} from './accounts.ts'

const longestList = 100

/** The newest orders of an account, a line each. */
export async function listOrders(database: Database, email: string, now: () => Date): Promise<string[]> {
  return database.asSystem(async (transaction) => {
    const userId = await findAccount(transaction, email)
    const rows = await transaction
      .select()
      .from(orders)
      .where(eq(orders.userId, userId))
      .orderBy(desc(orders.createdAt))
      .limit(longestList)
    return rows.map((row) =>
      [row.id, row.createdAt.toISOString(), stateAt(row, now()), `$${(row.price / 100).toFixed(2)}`, row.description]
        .filter(Boolean)
        .join('  '),
    )
  })
}

/** Counts an order as paid, because the operator got its money in another way. A payment that still comes is given back. */
export async function finishOrderByHand(
  {config, database, now}: {config: FinishParts['config']; database: Database; now: () => Date},
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw new StartFailure(`${id} is not the id of an order.`)
  await database.asSystem(async (transaction) => {
    const [known] = await transaction.select({id: orders.id}).from(orders).where(eq(orders.id, id))
    if (known === undefined) throw new StartFailure(`There is no order ${id}.`)
    const order = await lockOrder(transaction, id)
    if (order.state === 'Finished') throw new StartFailure(`The order ${id} is finished already.`)
    const at = now()
    const paid =
      order.state === 'Paid'
        ? order
        : await updateOrder(transaction, id, {state: 'Paid', paidAt: at, deletedAt: null, updatedAt: at})
    await finishOrder({config, ledger: createLedger()}, transaction, paid, at)
  })
}
