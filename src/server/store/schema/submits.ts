import {index, pgTable, primaryKey, text, uuid} from 'drizzle-orm/pg-core'
import {createdAt} from './columns.ts'
import {userId} from './people.ts'

/* Submits that carry a key. */

/** Seen submits (security R46): the same key and hash again attaches to the same answer, task, order or file. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: userId(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    answerId: uuid('answer_id'),
    taskId: uuid('task_id'),
    orderId: uuid('order_id'),
    /** The name of an upload's bytes: its address may be renewed, this name stays. */
    fileStoredAs: text('file_stored_as'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({columns: [table.userId, table.key]}), index('idempotency_keys_age').on(table.createdAt)],
)
