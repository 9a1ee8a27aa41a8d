import {customType, numeric, timestamp, uuid} from 'drizzle-orm/pg-core'

/*
 * Columns that many tables have. The files beside this one are the one schema of Atrium. Every table forces row-level
 * security (security R20): of one with a `user_id` a request sees and writes only rows of `app.user`; the owner role
 * `atrium` (workers, migrations) sees all. The policies stand in the migrations `0001_policies.sql` and
 * `0005_shared_policies.sql`; a meta test looks at every table.
 */

export const id = () => uuid('id').primaryKey().defaultRandom()
export const createdAt = () => timestamp('created_at', {withTimezone: true}).notNull().defaultNow()
export const updatedAt = () => timestamp('updated_at', {withTimezone: true}).notNull().defaultNow()
/** Credits: exact decimals, six digits after the point, as text in JavaScript. */
export const credits = (name: string) => numeric(name, {precision: 20, scale: 6})
/**
 * JSON that may be a text of its own. The driver of PostgreSQL parses `jsonb`, and `jsonb()` of drizzle parses a text
 * once more: a message `42` or `{"foo": 1}` would be read as a number or an object.
 */
export const jsonOrText = <T>(name: string) =>
  customType<{data: T; driverData: unknown}>({dataType: () => 'jsonb', toDriver: (value) => JSON.stringify(value)})(
    name,
  )
