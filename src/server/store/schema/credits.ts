import {sql} from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {createdAt, credits, id} from './columns.ts'
import {userId} from './people.ts'
import {applicationId} from './platform.ts'

/* Credits on hold, charged and released, each with its purpose. */

/** hold → settle (+ refund of the rest) or refund of all; `grant` puts credits in. Rows are never changed. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: id(),
    userId: userId(),
    applicationId: applicationId(),
    kind: text('kind', {enum: ['grant', 'hold', 'settle', 'refund']}).notNull(),
    /** Positive; the kind gives the direction. */
    amount: credits('amount').notNull(),
    /** The purpose of the entry: `answer:<id>`, `grant:free`, later `order:<id>`, `task:<id>`. */
    reference: text('reference').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('ledger_once').on(table.reference, table.kind),
    index('ledger_user').on(table.userId, table.createdAt),
    check('ledger_positive', sql`${table.amount} >= 0`),
  ],
)

/** One row a call that reached a provider: what the console's usage list shows. */
export const usages = pgTable(
  'usages',
  {
    id: id(),
    userId: userId(),
    applicationId: applicationId(),
    serviceId: uuid('service_id'),
    /** The operation that was called (`#server/platform/service-apis.ts`). */
    apiId: uuid('api_id').notNull(),
    credentialId: uuid('credential_id'),
    statusCode: integer('status_code').notNull(),
    traceId: text('trace_id').notNull(),
    deductedAmount: credits('deducted_amount').notNull().default('0'),
    remainingAmount: credits('remaining_amount').notNull().default('0'),
    /** The balance of the application after the call; absent in rows from before this column. */
    usedAmount: credits('used_amount'),
    metadata: jsonb('metadata').$type<Record<string, string | number>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [
    index('usages_user').on(table.userId, table.createdAt, table.id),
    // the last two are filters: rows of other APIs and applications are passed over without being read
    index('usages_amount').on(
      table.userId,
      table.deductedAmount,
      table.createdAt,
      table.id,
      table.apiId,
      table.applicationId,
    ),
    index('usages_application').on(table.applicationId, table.createdAt),
    index('usages_api').on(table.userId, table.apiId, table.createdAt),
  ],
)

/**
 * Sums of `usages` by quarter and by whole hour (`minutes` 15 and 60, `slot` is its beginning). A trigger adds each new
 * row in its own transaction, so that they agree with the rows to the last digit (docs/decisions/0043).
 */
export const usageSums = pgTable(
  'usage_sums',
  {
    userId: userId(),
    minutes: smallint('minutes').notNull(),
    slot: timestamp('slot', {withTimezone: true}).notNull(),
    applicationId: applicationId(),
    apiId: uuid('api_id').notNull(),
    statusClass: smallint('status_class').notNull(),
    calls: bigint('calls', {mode: 'number'}).notNull(),
    deductedAmount: credits('deducted_amount').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.userId, table.minutes, table.slot, table.applicationId, table.apiId, table.statusClass],
    }),
  ],
)
