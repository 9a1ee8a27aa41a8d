import {and, asc, inArray, isNotNull, or} from 'drizzle-orm'
import type {Application} from '#contract/management.ts'
import type {Order} from '#contract/orders.ts'
import {present} from '../platform/fields.ts'
import {applicationFields, servicesOf} from '../platform/applications.ts'
import type {PaymentRow} from '../payments/payment-provider.ts'
import type {Payments} from '../payments/payments.ts'
import type {Transaction} from '../store/database.ts'
import {payments} from '../store/schema/orders.ts'
import {applications} from '../store/schema/platform.ts'
import {stateAt, type OrderRow} from './order-store.ts'
import {toDollars} from './package-catalogue.ts'

/** Orders on the wire, read in their owner's transaction. Applications come without their keys. */
export async function orderViews(
  transaction: Transaction,
  rows: readonly OrderRow[],
  {now, waysFor, leastFor}: {now: Date} & Pick<Payments, 'waysFor' | 'leastFor'>,
): Promise<Order[]> {
  if (rows.length === 0) return []
  const applicationOf = await applicationsOf(transaction, rows)
  const attempts = await attemptsOf(transaction, rows)
  return rows.map((row) => {
    const state = stateAt(row, now)
    const isUnpaid = state === 'Pending' || state === 'Failed'
    const isPayable = isUnpaid && row.processingAt === null
    const [applicationId] = row.applicationIds
    const own = attempts.filter(({orderId}) => orderId === row.id)
    const open = isUnpaid || state === 'Expired' ? own.find((attempt) => attempt.state === 'open') : undefined
    const page = isPayable ? open : undefined
    const least = isPayable ? leastFor(row.price) : undefined
    const refundsAre = (state: PaymentRow['refundState']) =>
      own.filter(({refundState}) => refundState === state).length || undefined
    const surplus = own.filter((attempt) => isSurplus(attempt) && attempt.refundState !== 'settled')
    const declinedAttempt = own.findLast((attempt) => attempt.state === 'declined')
    return {
      ...present({
        id: row.id,
        description: row.description,
        user_id: row.userId,
        application: applicationId === undefined ? undefined : applicationOf.get(applicationId),
        application_id: applicationId,
        pay_way: row.payWay,
        least_price: least === undefined ? undefined : toDollars(least),
        pay_id: page?.id,
        pay_url: page?.url,
        expired_at: isPayable || state === 'Expired' ? endOf(row).toISOString() : undefined,
        opened_at: open?.createdAt.toISOString(),
        processing_at: isUnpaid ? row.processingAt?.toISOString() : undefined,
        confirm_url: isUnpaid && row.processingAt !== null ? open?.confirmUrl : undefined,
        failed_at: declinedAttempt?.updatedAt.toISOString(),
        paid_at: row.paidAt?.toISOString(),
        finished_at: row.finishedAt?.toISOString(),
        overdue: row.overdue || undefined,
        surplus_payments: surplus.length || undefined,
        mismatched_payments:
          surplus.filter(({surplusReason, refundState}) => surplusReason === 'amount' && refundState !== 'failed')
            .length || undefined,
        failed_refunds: refundsAre('failed'),
        settled_refunds: refundsAre('settled'),
        unknown_payments: own.filter(({unknownReason}) => unknownReason !== null).length || undefined,
      }),
      state,
      price: toDollars(row.price),
      amount: row.items.reduce((sum, {amount}) => sum + amount, 0),
      application_ids: row.applicationIds,
      package_ids: row.packageIds,
      packages: row.items.map(({packageId, applicationId: target, type, amount, price, duration}) =>
        present({id: packageId ?? target, type, amount, price: toDollars(price), duration}),
      ),
      pay_ways: isPayable ? waysFor(row.price) : [],
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    }
  })
}

/** When it can no longer be paid: a payment that was let expire ends its order before its time. */
const endOf = ({state, expiresAt, updatedAt}: OrderRow): Date =>
  state === 'Expired' && updatedAt < expiresAt ? updatedAt : expiresAt

/** Money that is not credited: it goes back. */
const isSurplus = ({state}: Pick<PaymentRow, 'state'>) => state === 'surplus' || state === 'refunded'

/** Payments of the orders that are open, were declined, go back or may have been paid, in the order of their end. */
const attemptsOf = (transaction: Transaction, rows: readonly OrderRow[]) =>
  transaction
    .select({
      orderId: payments.orderId,
      id: payments.id,
      state: payments.state,
      surplusReason: payments.surplusReason,
      unknownReason: payments.unknownReason,
      refundState: payments.refundState,
      url: payments.url,
      confirmUrl: payments.confirmUrl,
      createdAt: payments.createdAt,
      updatedAt: payments.updatedAt,
    })
    .from(payments)
    .where(
      and(
        inArray(
          payments.orderId,
          rows.map(({id}) => id),
        ),
        or(inArray(payments.state, ['open', 'declined', 'surplus', 'refunded']), isNotNull(payments.unknownReason)),
      ),
    )
    .orderBy(asc(payments.updatedAt))

async function applicationsOf(
  transaction: Transaction,
  rows: readonly OrderRow[],
): Promise<ReadonlyMap<string, Application>> {
  const ids = [...new Set(rows.flatMap(({applicationIds}) => applicationIds))]
  const storedApplications = await transaction.select().from(applications).where(inArray(applications.id, ids))
  const serviceOf = await servicesOf(transaction, storedApplications)
  return new Map(storedApplications.map((row) => [row.id, present(applicationFields(row, serviceOf))]))
}
