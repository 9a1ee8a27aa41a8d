import {bigint, text, timestamp, uuid} from 'drizzle-orm/pg-core'
import {createdAt, credits} from './columns.ts'
import {applications} from './platform.ts'

/** The columns of long work (`runs/run-store.ts`): who pays for it, who runs it, and its times. */
export const runColumns = () => ({
  applicationId: uuid('application_id').references(() => applications.id, {onDelete: 'set null'}),
  credentialId: uuid('credential_id'),
  /** The worker that runs it and the fencing token of that run (security R66). */
  workerId: text('worker_id'),
  fence: bigint('fence', {mode: 'number'}).notNull().default(0),
  held: credits('held').notNull().default('0'),
  settled: credits('settled'),
  traceId: text('trace_id').notNull(),
  createdAt: createdAt(),
  startedAt: timestamp('started_at', {withTimezone: true}),
  finishedAt: timestamp('finished_at', {withTimezone: true}),
})
