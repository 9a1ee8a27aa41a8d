import {and, asc, eq, inArray, isNotNull, isNull, lte, or, sql, type SQL, type SQLWrapper} from 'drizzle-orm'
import type {OrderState} from '#contract/orders.ts'
import type {Identity} from '../auth/identity.ts'
import {pageOrigins} from '../auth/origins.ts'
import type {ServerDeps} from '../deps.ts'
import {notFound} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'
import {orders, payments} from '../store/schema/orders.ts'
import {tokenFamilies} from '../store/schema/people.ts'

export type OrderRow = typeof orders.$inferSelect

/** States in which an order can be paid. */
export const payableStates = ['Pending', 'Failed'] as const

/**
 * The state at `now`: an order past its time is expired, whether or not the sweep has stored that. Not while the
 * payer's bank processes its payment, which was made in time.
 */
export const stateAt = ({state, expiresAt, processingAt}: OrderRow, now: Date): OrderState =>
  (state === 'Pending' || state === 'Failed') && expiresAt <= now && processingAt === null ? 'Expired' : state

/** The same in SQL, so that a filtered list agrees with what its rows say. */
export const hasState = (states: readonly OrderState[], now: Date): SQL | undefined => {
  const moment = sql`${now.toISOString()}::timestamptz`
  return inArray(
    sql`case when ${orders.state} in ('Pending', 'Failed') and ${orders.expiresAt} <= ${moment} and ${orders.processingAt} is null then 'Expired' else ${orders.state} end`,
    [...states],
  )
}

/** The origin of the page in which the caller signed in: requests concern the orders of this site. */
export async function siteOf(transaction: Transaction, {familyId}: Identity): Promise<string> {
  if (familyId === undefined) throw notFound()
  const [family] = await transaction
    .select({client: tokenFamilies.client})
    .from(tokenFamilies)
    .where(eq(tokenFamilies.id, familyId))
  if (family === undefined) throw notFound()
  return family.client
}

/** Whether the payer's bank works on the payment of the order with this id. */
export const isOfProcessingOrder = (orderId: SQLWrapper): SQL =>
  sql`exists (select 1 from ${orders} where ${orders.id} = ${orderId} and ${orders.processingAt} is not null)`

/** Orders that were made at the caller's site and not removed. The names of our own page are one site. */
export async function ownOrders(deps: ServerDeps, transaction: Transaction, identity: Identity) {
  const site = await siteOf(transaction, identity)
  const own = pageOrigins(deps)
  return and(inArray(orders.origin, own.includes(site) ? own : [site]), isNull(orders.deletedAt))
}

/** An order of the caller, in its transaction. Foreign, removed, of another site or missing: one and the same 404. */
export async function findOrder(deps: ServerDeps, transaction: Transaction, identity: Identity, id: string) {
  const [row] = await transaction
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), await ownOrders(deps, transaction, identity)))
  if (row === undefined) throw notFound()
  return row
}

/** An order of any user, without a lock. */
export async function readOrder(transaction: Transaction, id: string): Promise<OrderRow | undefined> {
  const [row] = await transaction.select().from(orders).where(eq(orders.id, id))
  return row
}

/** Whatever moves an order or its payments locks the order first. */
export async function lockOrder(transaction: Transaction, id: string): Promise<OrderRow> {
  const [row] = await transaction.select().from(orders).where(eq(orders.id, id)).for('update')
  if (row === undefined) throw notFound()
  return row
}

export async function updateOrder(
  transaction: Transaction,
  id: string,
  values: Partial<typeof orders.$inferInsert>,
): Promise<OrderRow> {
  const [row] = await transaction.update(orders).set(values).where(eq(orders.id, id)).returning()
  if (row === undefined) throw notFound()
  return row
}

/**
 * Lets orders go on that wait for a bank without a payment it could work on: a node of the version before does not know
 * `processing_at`, and leaves it when it enters that the bank declined.
 */
export async function releaseProcessingOrders(transaction: Transaction, now: Date): Promise<void> {
  await transaction
    .update(orders)
    .set({processingAt: null, updatedAt: now})
    .where(
      and(
        inArray(orders.state, [...payableStates]),
        isNotNull(orders.processingAt),
        sql`not exists (select 1 from ${payments} where ${payments.orderId} = ${orders.id} and ${payments.state} in ('opening', 'open'))`,
      ),
    )
}

/** Rows that one turn of the sweep takes of a kind. */
export const sweepSize = 50

/**
 * Orders the sweep has something to do for: overdue, free and not finished, or paid and not finished. Those that waited
 * longest for a sweep come first, so that orders which cannot be settled do not keep it from the others; another
 * process takes other ones.
 */
export const takeUnsettledOrders = (transaction: Transaction, now: Date): Promise<OrderRow[]> => {
  const next = transaction
    .select({id: orders.id})
    .from(orders)
    .where(
      or(
        eq(orders.state, 'Paid'),
        and(
          inArray(orders.state, [...payableStates]),
          isNull(orders.processingAt),
          or(lte(orders.expiresAt, now), eq(orders.price, 0)),
        ),
      ),
    )
    .orderBy(asc(sql`coalesce(${orders.sweptAt}, ${orders.updatedAt})`))
    .limit(sweepSize)
    .for('update', {skipLocked: true})
  return transaction.update(orders).set({sweptAt: now}).where(inArray(orders.id, next)).returning()
}
