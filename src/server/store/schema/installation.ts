import {integer, pgTable, text, timestamp} from 'drizzle-orm/pg-core'

/* The installation itself and its processes. */

/** Facts of this installation, such as its placeholder site origin. One row a name. */
export const installation = pgTable('installation', {name: text('name').primaryKey(), value: text('value').notNull()})

/** Live workers. One that was silent for the length of a lease (`jobs/lease.ts`) is dead: its answers end as interrupted, its jobs are unlocked. */
export const workers = pgTable('workers', {
  id: text('id').primaryKey(),
  heartbeatAt: timestamp('heartbeat_at', {withTimezone: true}).notNull().defaultNow(),
})

/** Limits of requests (`http/limits.ts`): a row for each bucket that is not full. */
export const rateLimits = pgTable('rate_limits', {
  /** Of what and of whom, as an HMAC: neither addresses nor names stand here. */
  bucket: text('bucket').primaryKey(),
  /** When the bucket is full again. What it lacks is the time until then. */
  fullAt: timestamp('full_at', {withTimezone: true}).notNull(),
  /** How many calls the latest statement took. */
  drawn: integer('drawn').notNull(),
})
