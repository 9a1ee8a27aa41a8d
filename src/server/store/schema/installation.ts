import {customType, index, integer, pgTable, text, timestamp} from 'drizzle-orm/pg-core'

/* The installation itself and its processes. */

/** Facts of this installation, such as its placeholder site origin. One row a name. */
export const installation = pgTable('installation', {name: text('name').primaryKey(), value: text('value').notNull()})

/** Live workers. One silent for a lease (`jobs/lease.ts`) is dead: its answers end as interrupted, jobs unlock. */
export const workers = pgTable('workers', {
  id: text('id').primaryKey(),
  heartbeatAt: timestamp('heartbeat_at', {withTimezone: true}).notNull().defaultNow(),
  /** The version of the server; null: 0.1.0 or before (`server/version.ts`). */
  version: text('version'),
})

/** Limits of requests (`http/limits.ts`): a row for each bucket that is not full. */
export const rateLimits = pgTable('rate_limits', {
  /** The subject of the limit and its caller, as an HMAC: neither addresses nor names stand here. */
  bucket: text('bucket').primaryKey(),
  /** When the bucket is full again. What it lacks is the time until then. */
  fullAt: timestamp('full_at', {withTimezone: true}).notNull(),
  /** How many calls the latest statement took. */
  drawn: integer('drawn').notNull(),
})

const bytea = customType<{data: Buffer}>({dataType: () => 'bytea'})

/**
 * Scripts and styles of the client's builds, so that any node has those of pages that another build made
 * (`http/build-files.ts`). Their names change with their content.
 */
export const buildFiles = pgTable(
  'build_files',
  {
    path: text('path').primaryKey(),
    /** Compressed by Brotli. */
    content: bytea('content').notNull(),
    /** A server that has it ran then. */
    seenAt: timestamp('seen_at', {withTimezone: true}).notNull().defaultNow(),
  },
  (table) => [index('build_files_seen').on(table.seenAt)],
)
