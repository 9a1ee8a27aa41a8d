import {sql} from 'drizzle-orm'
import {drizzle, type NodePgDatabase} from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type {Log} from '../log.ts'
import * as schema from './schema.ts'

export type Transaction = Parameters<Parameters<NodePgDatabase<typeof schema>['transaction']>[0]>[0]

/** Every statement runs in a transaction that says for whom; there is no third way to the tables (security R20). */
export type Database = {
  /** As one person: role `atrium_app`, row-level security on `app.user`. */
  asUser: <T>(userId: string, work: (transaction: Transaction) => Promise<T>) => Promise<T>
  /** As the installation: workers, sign-in, migrations. Sees all rows. */
  asSystem: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
  /** Wakes `handle` with each payload notified on `channel`; a lost connection is replaced. Returns the way to stop. */
  listen: (channel: string, handle: (payload: string) => void) => Promise<() => Promise<void>>
  /** For libraries that bring their own queries (graphile-worker). */
  pool: pg.Pool
  close: () => Promise<void>
}

const statementTimeoutMilliseconds = 5_000

/** Opens the pool. `connection` is a PostgreSQL URL, or the socket folder of the embedded database. */
export function openDatabase(connection: pg.PoolConfig, log: Log): Database {
  const pool = new pg.Pool({max: 20, statement_timeout: statementTimeoutMilliseconds, ...connection})
  pool.on('error', (error) => log.warn('database connection lost', {error: error.message}))
  const orm = drizzle(pool, {schema})

  const asUser: Database['asUser'] = (userId, work) =>
    orm.transaction(async (transaction) => {
      await transaction.execute(sql`set local role atrium_app`)
      await transaction.execute(sql`select set_config('app.user', ${userId}, true)`)
      return work(transaction)
    })

  const listen: Database['listen'] = async (channel, handle) => {
    let stopped = false
    let client: pg.PoolClient | undefined
    const connect = async (): Promise<void> => {
      const next = await pool.connect()
      next.on('notification', (message) => {
        if (message.channel === channel) handle(message.payload ?? '')
      })
      next.on('error', (error) => {
        log.warn('listening connection lost', {channel, error: error.message})
        next.release(error)
        if (!stopped) setTimeout(() => void connect().catch(() => undefined), 500).unref()
      })
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      client = next
    }
    await connect()
    return async () => {
      stopped = true
      client?.release(true)
    }
  }

  return {asUser, asSystem: (work) => orm.transaction(work), listen, pool, close: () => pool.end()}
}
