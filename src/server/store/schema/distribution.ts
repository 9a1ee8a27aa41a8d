import {index, numeric, pgTable, text, timestamp, uniqueIndex, uuid} from 'drizzle-orm/pg-core'
import {createdAt, id, updatedAt} from './columns.ts'
import {userId} from './people.ts'

/* The referral programme. Amounts are US dollars with six decimals. */

const dollars = (name: string) => numeric(name, {precision: 20, scale: 6})

/** The sums of a user's invitees' orders and of the rewards. Written together with `distribution_rewards`. */
export const distributionStatuses = pgTable(
  'distribution_statuses',
  {
    id: id(),
    userId: userId(),
    price: dollars('price').notNull().default('0'),
    reward: dollars('reward').notNull().default('0'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('distribution_statuses_user').on(table.userId)],
)

/** The ledger of rewards: one row a paid order. Never changed. */
export const distributionRewards = pgTable(
  'distribution_rewards',
  {
    id: id(),
    userId: userId(),
    inviteeId: uuid('invitee_id').notNull(),
    orderId: uuid('order_id').notNull(),
    price: dollars('price').notNull(),
    reward: dollars('reward').notNull(),
    /** Percent, at the level of the moment. */
    percentage: numeric('percentage', {precision: 6, scale: 3}).notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('distribution_rewards_once').on(table.orderId),
    index('distribution_rewards_user').on(table.userId, table.createdAt),
  ],
)

/** Short links to pages of this installation. `path` begins with one slash: a link leaves its own origin never. */
export const shortLinks = pgTable(
  'short_links',
  {
    /** 96 random bits in base64url. */
    code: text('code').primaryKey(),
    userId: userId(),
    path: text('path').notNull(),
    createdAt: timestamp('created_at', {withTimezone: true}).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('short_links_path').on(table.userId, table.path)],
)
