import {pgTable, text, timestamp} from 'drizzle-orm/pg-core'

/* The installation itself and its processes. */

/** Facts of this installation, such as its placeholder site origin. One row a name. */
export const installation = pgTable('installation', {name: text('name').primaryKey(), value: text('value').notNull()})

/** Live workers. One that was silent for the length of a lease (`jobs/lease.ts`) is dead: its answers end as interrupted, its jobs are unlocked. */
export const workers = pgTable('workers', {
  id: text('id').primaryKey(),
  heartbeatAt: timestamp('heartbeat_at', {withTimezone: true}).notNull().defaultNow(),
  /** Of the server; null: 0.1.0 or before (`server/version.ts`). */
  version: text('version'),
})
