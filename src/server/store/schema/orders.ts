import {sql} from 'drizzle-orm'
import {boolean, check, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid} from 'drizzle-orm/pg-core'
import {orderStates, payWays} from '#contract/orders.ts'
import {createdAt, id, updatedAt} from './columns.ts'
import {userId} from './people.ts'

/* Orders of users, and their payments. */

/** When the sweep last took the row, or a payment's provider was asked about it: those that wait longest are next. */
const sweptAt = () => timestamp('swept_at', {withTimezone: true})

/** One package of an order, or credits by the piece, as it was offered when the order was made. */
export type OrderItem = {
  /** The application that gets the credits. */
  applicationId: string
  type: 'Usage' | 'Period'
  /** Whole credits. */
  amount: number
  /** Cents. */
  price: number
  /** Seconds, of a period. */
  duration?: number
  packageId?: string
}

/**
 * An order. A trigger lets its state only move forward and nothing change its price, items, owner and site; requests
 * insert and read, the payments of the system do the rest (migration 0009).
 */
export const orders = pgTable(
  'orders',
  {
    id: id(),
    userId: userId(),
    /** Origin of the site it was ordered at: another site does not show it. */
    origin: text('origin').notNull(),
    state: text('state', {enum: orderStates}).notNull().default('Pending'),
    description: text('description'),
    /** Cents of a US dollar. */
    price: integer('price').notNull(),
    items: jsonb('items').$type<OrderItem[]>().notNull(),
    applicationIds: uuid('application_ids').array().notNull(),
    packageIds: uuid('package_ids').array().notNull(),
    /** The way of the last payment that was begun. */
    payWay: text('pay_way', {enum: payWays}),
    /** Paid after it had expired. */
    overdue: boolean('overdue').notNull().default(false),
    expiresAt: timestamp('expires_at', {withTimezone: true}).notNull(),
    /** Since when the payer's bank works on the open payment: the order does not expire, nor is it paid another way. */
    processingAt: timestamp('processing_at', {withTimezone: true}),
    paidAt: timestamp('paid_at', {withTimezone: true}),
    finishedAt: timestamp('finished_at', {withTimezone: true}),
    sweptAt: sweptAt(),
    /** Removed from the list by its owner; a payment that arrives after all brings it back. */
    deletedAt: timestamp('deleted_at', {withTimezone: true}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('orders_user').on(table.userId, table.createdAt),
    index('orders_unsettled')
      .on(table.expiresAt)
      .where(sql`state in ('Pending', 'Failed', 'Paid')`),
    check('orders_price', sql`${table.price} >= 0`),
  ],
)

const paymentStates = ['opening', 'open', 'paid', 'declined', 'closed', 'surplus', 'refunded'] as const

/** Why money is not credited: another payment paid the order, another amount came, or the buyer is deleted. */
const surplusReasons = ['paid', 'amount', 'account'] as const
export type SurplusReason = (typeof surplusReasons)[number]

/**
 * Why it is unknown whether a closed payment was paid: its provider does not know it, its provider is not configured
 * any more, or the operator gave it up.
 */
const unknownReasons = ['provider', 'away', 'operator'] as const
export type UnknownReason = (typeof unknownReasons)[number]

/**
 * State of a refund, which may fail days later: `underway` while it is checked, `ended` once it arrived or can no
 * longer fail, `settled` if it failed and the operator paid in another way. Null: no refund, or an older one.
 */
const refundStates = ['underway', 'ended', 'failed', 'settled'] as const

/**
 * One attempt to pay an order. At most one of an order is open. `opening` until the provider has answered with its
 * page; `surplus` is money that is not credited: it goes back and becomes `refunded`.
 */
export const payments = pgTable(
  'payments',
  {
    id: id(),
    userId: userId(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id, {onDelete: 'cascade'}),
    way: text('way', {enum: payWays}).notNull(),
    state: text('state', {enum: paymentStates}).notNull().default('opening'),
    surplusReason: text('surplus_reason', {enum: surplusReasons}),
    unknownReason: text('unknown_reason', {enum: unknownReasons}),
    refundState: text('refund_state', {enum: refundStates}),
    /** The provider's name for the refund. */
    refundReference: text('refund_reference'),
    /** Cents, as the provider is asked for them. */
    amount: integer('amount').notNull(),
    /** The provider's name for it. */
    reference: text('reference'),
    url: text('url'),
    /** The page on which the payer confirms a bank debit that waits for that. */
    confirmUrl: text('confirm_url'),
    /** The input of the provider, stored so that a repeated call has the same. */
    title: text('title').notNull(),
    returnUrl: text('return_url').notNull(),
    locale: text('locale').notNull(),
    /** Base of the platform service as the payer reached it. */
    baseUrl: text('base_url').notNull(),
    expiresAt: timestamp('expires_at', {withTimezone: true}).notNull(),
    sweptAt: sweptAt(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('payments_reference').on(table.way, table.reference),
    uniqueIndex('payments_one_open')
      .on(table.orderId)
      .where(sql`state in ('opening', 'open')`),
    index('payments_order').on(table.orderId),
    index('payments_user').on(table.userId),
    index('payments_unsettled')
      .on(table.state)
      .where(sql`state in ('opening', 'open', 'surplus')`),
    index('payments_refunding')
      .on(table.updatedAt)
      .where(sql`refund_state = 'underway'`),
  ],
)
