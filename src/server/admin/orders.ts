import {and, desc, eq, inArray, isNotNull, or} from 'drizzle-orm'
import type {Config} from '../config.ts'
import {finishOrder} from '../orders/finish-order.ts'
import {lockOrder, stateAt, updateOrder} from '../orders/order-store.ts'
import type {PaymentRow} from '../payments/payment-provider.ts'
import {mayBePaid, moveTo, openPayment} from '../payments/payment-store.ts'
import {isUuid} from '../platform/fields.ts'
import {StartFailure} from '../start-failure.ts'
import type {Database, Transaction} from '../store/database.ts'
import {orders, payments} from '../store/schema/orders.ts'
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
    const notedRows = await notedPayments(
      transaction,
      rows.map(({id}) => id),
    )
    return rows.map((row) =>
      [
        row.id,
        row.createdAt.toISOString(),
        stateAt(row, now()),
        `$${(row.price / 100).toFixed(2)}`,
        row.description,
        ...notedRows.filter(({orderId}) => orderId === row.id).map(noteOf),
      ]
        .filter(Boolean)
        .join('  '),
    )
  })
}

/** Payments of these orders that could not be refunded, or of which it is unknown whether they were paid. */
const notedPayments = (transaction: Transaction, orderIds: string[]) =>
  transaction
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.orderId, orderIds),
        or(eq(payments.refundState, 'failed'), isNotNull(payments.unknownReason)),
      ),
    )

function noteOf({amount, reference, refundReference, refundState}: PaymentRow): string {
  const price = `$${(amount / 100).toFixed(2)}`
  return refundState === 'failed'
    ? `(refund failed: ${price}, ${refundReference})`
    : `(paid or not: ${price}, ${reference})`
}

/** Counts the refunds of an order that failed as paid, because the operator paid their payer in another way. */
export async function settleRefunds(database: Database, id: string, now: () => Date): Promise<void> {
  await database.asSystem(async (transaction) => {
    await requireOrder(transaction, id)
    await lockOrder(transaction, id)
    const refunds = await transaction
      .update(payments)
      .set({refundState: 'settled', updatedAt: now()})
      .where(and(eq(payments.orderId, id), eq(payments.refundState, 'failed')))
      .returning({id: payments.id})
    if (refunds.length === 0) throw new StartFailure(`The order ${id} has no refund that failed.`)
  })
}

/**
 * Closes the payment of an order whose provider cannot be asked: it is not configured any more, or with another
 * account. If the provider reports later that it was paid, the order is credited.
 */
export async function giveUpPayment(database: Database, id: string, now: () => Date): Promise<void> {
  await database.asSystem(async (transaction) => {
    await requireOrder(transaction, id)
    const {processingAt} = await lockOrder(transaction, id)
    const open = await openPayment(transaction, id)
    if (processingAt === null && open === undefined) throw new StartFailure(`The order ${id} has no open payment.`)
    const at = now()
    const unknownReason = open !== undefined && mayBePaid(open) ? 'operator' : null
    if (open !== undefined) await moveTo(transaction, open, 'closed', {at, unknownReason})
    await updateOrder(transaction, id, {processingAt: null, updatedAt: at})
  })
}

async function requireOrder(transaction: Transaction, id: string): Promise<void> {
  if (!isUuid(id)) throw new StartFailure(`${id} is not the id of an order.`)
  const [order] = await transaction.select({id: orders.id}).from(orders).where(eq(orders.id, id))
  if (order === undefined) throw new StartFailure(`There is no order ${id}.`)
}

/** Marks an order as paid, because the operator got its money in another way. A later payment is refunded. */
export async function finishOrderByHand(
  {config, database, now}: {config: Pick<Config, 'distributionLevels'>; database: Database; now: () => Date},
  id: string,
): Promise<void> {
  await database.asSystem(async (transaction) => {
    await requireOrder(transaction, id)
    const order = await lockOrder(transaction, id)
    if (order.state === 'Finished') throw new StartFailure(`The order ${id} is finished already.`)
    const at = now()
    const paidLines =
      order.state === 'Paid'
        ? order
        : await updateOrder(transaction, id, {state: 'Paid', paidAt: at, deletedAt: null, updatedAt: at})
    await finishOrder(config, transaction, paidLines, at)
  })
}
