import {index, pgTable, primaryKey, text, uuid} from 'drizzle-orm/pg-core'
import {createdAt} from './columns.ts'
import {userId} from './people.ts'

/* Submits that carry a key. */

/** Submits that were seen (security R46): the same key and hash again attaches to the same answer, task, order or file. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: userId(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    answerId: uuid('answer_id'),
    taskId: uuid('task_id'),
    orderId: uuid('order_id'),
    /** Name of the bytes of an upload: it stays when the address is renewed. */
    fileStoredAs: text('file_stored_as'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({columns: [table.userId, table.key]}), index('idempotency_keys_age').on(table.createdAt)],
)
