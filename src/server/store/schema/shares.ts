import {boolean, index, jsonb, pgTable, text} from 'drizzle-orm/pg-core'
import type {SharedMessage} from '#contract/shares.ts'
import {conversationId} from './chat.ts'
import {createdAt, updatedAt} from './columns.ts'
import {userId} from './people.ts'

/* Read-only snapshots of conversations (docs/decisions/0059). */

/** A file of a snapshot: `handle` in its address for readers, `storedAs` in the table of files. */
export type SharedFile = {handle: string; storedAs: string; name: string}

export const shares = pgTable(
  'shares',
  {
    /** The handle in the link, 128 random bits in base64url. */
    id: text('id').primaryKey(),
    userId: userId(),
    conversationId: conversationId(),
    title: text('title'),
    attachments: boolean('attachments').notNull(),
    messages: jsonb('messages').$type<SharedMessage[]>().notNull(),
    files: jsonb('files').$type<SharedFile[]>().notNull(),
    createdAt: createdAt(),
    /** When the snapshot was taken. */
    updatedAt: updatedAt(),
  },
  (table) => [
    index('shares_user').on(table.userId, table.createdAt),
    index('shares_conversation').on(table.conversationId),
  ],
)
