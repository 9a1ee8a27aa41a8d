import {sql} from 'drizzle-orm'
import {workers} from '#server/store/schema/installation.ts'
import type {TestServer} from './harness.ts'

/**
 * The row of a worker that gives no signs of life and lives as long as the test: on a busy machine a test takes longer
 * than a lease, and other processes of it would take over the work of its own.
 */
export const insertLivingWorker = ({deps}: TestServer, id: string): Promise<unknown> =>
  deps.database.asSystem((transaction) => transaction.insert(workers).values({id, heartbeatAt: sql`'infinity'`}))
