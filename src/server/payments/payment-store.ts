import {and, asc, eq, inArray, isNull, lte, not, or, sql, type SQL} from 'drizzle-orm'
import {isOfProcessingOrder, lockOrder, sweepSize} from '../orders/order-store.ts'
import type {Transaction} from '../store/database.ts'
import {payments} from '../store/schema/orders.ts'
import type {PaymentRow} from './payment-provider.ts'

const longestBackOffSeconds = 24 * 3_600
const openStates = ['opening', 'open'] as const

export const isOpen = ({state}: PaymentRow) => openStates.some((open) => open === state)

/** The payment with its order, locked in this order; read again after the lock. */
export async function lockPayment(transaction: Transaction, paymentId: string) {
  const find = () => transaction.select().from(payments).where(eq(payments.id, paymentId))
  const [storedPayment] = await find()
  if (storedPayment === undefined) return undefined
  const order = await lockOrder(transaction, storedPayment.orderId)
  const [payment] = await find()
  return payment && {order, payment}
}

/** A page was handed out on which money may have been paid; the simulation takes none. */
export const mayBePaid = ({reference, way}: PaymentRow) => reference !== null && way !== 'Sandbox'

/** Ends a payment. */
export async function moveTo(
  transaction: Transaction,
  {id}: PaymentRow,
  state: 'paid' | 'declined' | 'closed',
  {at, unknownReason = null}: {at: Date; unknownReason?: PaymentRow['unknownReason']},
) {
  await transaction
    .update(payments)
    .set({state, unknownReason, confirmUrl: null, updatedAt: at})
    .where(eq(payments.id, id))
}

/**
 * Whether money that could not be given back is tried again: after twice the time that the attempts took so far, once a
 * day at least. Attempts are what the sweep made since the money is owed.
 */
const isDueAgain = (now: Date) => sql`(
  ${payments.sweptAt} is null
  or ${now.toISOString()}::timestamptz - ${payments.sweptAt}
    >= least(${payments.sweptAt} - ${payments.updatedAt}, make_interval(secs => ${longestBackOffSeconds}))
)`

export async function openPayment(transaction: Transaction, orderId: string): Promise<PaymentRow | undefined> {
  const [payment] = await transaction
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), inArray(payments.state, [...openStates])))
  return payment
}

/** Whether money that came for an order still has to be given back, or could not be. */
export async function owesMoney(transaction: Transaction, orderId: string): Promise<boolean> {
  const isOwed = or(eq(payments.state, 'surplus'), eq(payments.refundState, 'failed'))
  const rows = await transaction
    .select({id: payments.id})
    .from(payments)
    .where(and(eq(payments.orderId, orderId), isOwed))
    .limit(1)
  return rows.length > 0
}

/**
 * The open payment of an order, unless another request has asked about it since then. Of several requests at once, also
 * to several processes, one gets it.
 */
export async function takeDuePayment(
  transaction: Transaction,
  orderId: string,
  {now, askedBefore}: {now: Date; askedBefore: Date},
): Promise<PaymentRow | undefined> {
  const [payment] = await transaction
    .update(payments)
    .set({sweptAt: now})
    .where(
      and(
        eq(payments.orderId, orderId),
        eq(payments.state, 'open'),
        or(isNull(payments.sweptAt), lte(payments.sweptAt, askedBefore)),
      ),
    )
    .returning()
  return payment
}

type SweepTimes = {now: Date; silentSince: Date}

/** Takes those of these payments that have been silent longest. Another process takes other ones. */
const takeSilent = (
  transaction: Transaction,
  isMeant: SQL | undefined,
  {now, silentSince}: SweepTimes,
): Promise<PaymentRow[]> => {
  const waitingSince = sql`coalesce(${payments.sweptAt}, ${payments.updatedAt})`
  const isSilent = and(
    lte(payments.updatedAt, silentSince),
    or(isNull(payments.sweptAt), lte(payments.sweptAt, silentSince)),
  )
  const next = transaction
    .select({id: payments.id})
    .from(payments)
    .where(and(isMeant, isSilent))
    .orderBy(asc(waitingSince))
    .limit(sweepSize)
    .for('update', {skipLocked: true})
  return transaction.update(payments).set({sweptAt: now}).where(inArray(payments.id, next)).returning()
}

/**
 * For the sweep: takes payments in this state without a report or a query since then. Others take other ones.
 */
export const takePayments = (
  transaction: Transaction,
  {state, isProcessing}: {state: PaymentRow['state']; isProcessing?: boolean},
  {now, silentSince}: SweepTimes,
): Promise<PaymentRow[]> => {
  const isWithBank = isOfProcessingOrder(payments.orderId)
  const isMeant = and(
    eq(payments.state, state),
    isProcessing === undefined ? undefined : isProcessing ? isWithBank : not(isWithBank),
    state === 'surplus' ? isDueAgain(now) : undefined,
  )
  return takeSilent(transaction, isMeant, {now, silentSince})
}

/** For the sweep: refunds that may still fail and about which nobody asked since then. */
export const takeRefunds = async (
  transaction: Transaction,
  times: SweepTimes,
): Promise<(PaymentRow & {refundReference: string})[]> => {
  const rows = await takeSilent(transaction, eq(payments.refundState, 'underway'), times)
  return rows.flatMap((row) => (row.refundReference === null ? [] : [{...row, refundReference: row.refundReference}]))
}
