import {sql} from 'drizzle-orm'
import {index, integer, pgTable, text, uniqueIndex} from 'drizzle-orm/pg-core'
import {createdAt} from './columns.ts'
import {userId} from './people.ts'

/* Uploads and results. */

export const files = pgTable(
  'files',
  {
    /** The handle in the file's address, 128 random bits in base64url. Renewing the address changes it. */
    id: text('id').primaryKey(),
    userId: userId(),
    /** The name of the bytes in their store: the first id. It never changes, so no reader is disturbed. */
    storedAs: text('stored_as').notNull(),
    /** The store of the bytes: `local`, or the bucket as `s3://bucket/prefix`. `files move` changes it. */
    storedIn: text('stored_in').notNull().default('local'),
    /** Ids of addresses that were renewed. They open nothing; a request of the owner may still name them. */
    formerIds: text('former_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
    name: text('name').notNull(),
    type: text('type').notNull(),
    size: integer('size').notNull(),
    width: integer('width'),
    height: integer('height'),
    createdAt: createdAt(),
  },
  (table) => [index('files_user').on(table.userId), uniqueIndex('files_stored_as').on(table.storedAs)],
)
