import {index, integer, pgTable, text} from 'drizzle-orm/pg-core'
import {createdAt} from './columns.ts'
import {userId} from './people.ts'

/* Uploads and results. */

export const files = pgTable(
  'files',
  {
    /** Unguessable storage name, 128 random bits in base64url; also the public handle. */
    id: text('id').primaryKey(),
    userId: userId(),
    name: text('name').notNull(),
    type: text('type').notNull(),
    size: integer('size').notNull(),
    width: integer('width'),
    height: integer('height'),
    createdAt: createdAt(),
  },
  (table) => [index('files_user').on(table.userId)],
)
