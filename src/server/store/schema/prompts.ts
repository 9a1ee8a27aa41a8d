import {jsonb, pgTable, primaryKey, text, uuid} from 'drizzle-orm/pg-core'
import type {FavouriteMarks} from '#domain/merge-favourites.ts'
import {createdAt, updatedAt} from './columns.ts'
import {userId} from './people.ts'

/* What users keep to ask with: texts for the message field, what every answer is to follow, and the models they like. */

export const savedPrompts = pgTable(
  'saved_prompts',
  {
    userId: userId(),
    /** The client makes it, so that a repeated save is the same prompt; another user may have the same. */
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    text: text('text').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({columns: [table.userId, table.id]})],
)

export const instructions = pgTable('instructions', {
  userId: userId().primaryKey(),
  text: text('text').notNull(),
  updatedAt: updatedAt(),
})

export const favouriteModels = pgTable('favourite_models', {
  userId: userId().primaryKey(),
  marks: jsonb('marks').$type<FavouriteMarks>().notNull(),
  updatedAt: updatedAt(),
})
