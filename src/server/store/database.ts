import {drizzle, type NodePgDatabase} from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type {Log} from '../log.ts'

/** The tables, inside a transaction that is open already. */
export type Transaction = Omit<NodePgDatabase, 'transaction'>

/** Every statement runs in a transaction that says for whom; there is no third way to the tables (security R20). */
export type Database = {
  /** As one user: role `atrium_app`, row-level security on `app.user`. */
  asUser: <T>(userId: string, work: (transaction: Transaction) => Promise<T>) => Promise<T>
  /** As the installation: workers, sign-in, migrations. Sees all rows. */
  asSystem: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
  /** One statement as the installation, which is a transaction by itself: no `begin` and no `commit` travel with it. */
  asSystemOnce: <T>(statement: (transaction: Transaction) => Promise<T>) => Promise<T>
  /** Wakes `handle` with each payload notified on `channel`; a lost connection is replaced. Returns the way to stop. */
  listen: (channel: string, handle: (payload: string) => void) => Promise<() => Promise<void>>
  /** For libraries that bring their own queries (graphile-worker). */
  pool: pg.Pool
  close: () => Promise<void>
}

const statementTimeoutMilliseconds = 5_000
const longestReconnectMilliseconds = 5_000

/**
 * Opens the pools. `connection` is a PostgreSQL URL, or the socket folder of the embedded database; `requests` is how requests
 * log in (`prepareRequestLogin`). While `isDiskLow`
 * says so, transactions of requests are read-only (security R65); sign-in and running answers go on with the reserve.
 */
export function openDatabase(
  connection: pg.PoolConfig,
  requests: pg.PoolConfig,
  log: Log,
  isDiskLow: () => Promise<boolean> = () => Promise.resolve(false),
): Database {
  const bounds = {max: 20, statement_timeout: statementTimeoutMilliseconds}
  const pool = new pg.Pool({...bounds, ...connection})
  const requestPool = new pg.Pool({...bounds, ...requests})
  let isClosing = false
  const onError = (error: Error) => {
    // The last words of connections that are being closed are no news.
    if (!isClosing) log.warn('database connection lost', {error: error.message})
  }
  for (const each of [pool, requestPool]) {
    each.on('error', onError)
    // A connection lost while it is in use would else be an uncaught error.
    each.on('connect', (client) => client.on('error', onError))
  }
  const orm = drizzle(pool)
  const runTransaction = createRunTransaction(pool)
  const runRequest = createRunTransaction(requestPool)

  // who it is for travels with the `begin`: a question is a dozen statements, and each round trip delays its first byte
  const asUser: Database['asUser'] = async (userId, work) => {
    const begin = (await isDiskLow()) ? 'begin read only' : 'begin'
    const scope = `select set_config('role', 'atrium_app', true), set_config('app.user', ${pg.escapeLiteral(userId)}, true)`
    return runRequest(`${begin}; ${scope}`, work)
  }

  const close = async () => {
    isClosing = true
    await Promise.all([pool.end(), requestPool.end()])
  }
  return {
    asUser,
    asSystem: (work) => runTransaction('begin', work),
    asSystemOnce: (statement) => statement(orm),
    listen: createListen(pool, log),
    pool,
    close,
  }
}

/** Work between this `begin` and a commit, on one connection; a throw undoes it. */
function createRunTransaction(pool: pg.Pool) {
  const known = new WeakMap<pg.PoolClient, Transaction>()
  const tablesOf = (client: pg.PoolClient): Transaction => {
    const tables = known.get(client) ?? drizzle(client)
    known.set(client, tables)
    return tables
  }

  return async <T>(begin: string, work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let lost = false
    try {
      await client.query(begin)
      const result = await work(tablesOf(client))
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => (lost = true))
      throw error
    } finally {
      // A connection that cannot even undo is given to nobody else.
      client.release(lost)
    }
  }
}

/** One connection a channel. What was notified while it was lost is lost: rows are the truth, a notice only wakes. */
function createListen(pool: pg.Pool, log: Log): Database['listen'] {
  return async (channel, handle) => {
    let isStopped = false
    let letGo: (() => void) | undefined
    let retry: NodeJS.Timeout | undefined

    const connect = async (): Promise<void> => {
      const next = await pool.connect()
      let isLost = false
      const onLost = (error?: Error) => {
        if (isLost) return
        isLost = true
        letGo = undefined
        // Released as broken: a connection that listens is not given to anybody else.
        next.release(error ?? true)
        if (!isStopped) reconnect(100)
      }
      next.on('notification', (message) => {
        if (!isStopped && message.channel === channel) handle(message.payload ?? '')
      })
      next.on('error', onLost)
      next.on('end', onLost)
      try {
        await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      } catch (error) {
        onLost(error instanceof Error ? error : undefined)
        return
      }
      if (isStopped) onLost()
      else letGo = onLost
    }

    const reconnect = (milliseconds: number) => {
      retry = setTimeout(() => {
        connect().catch((error: unknown) => {
          if (isStopped) return
          log.warn('listening failed', {channel, error: error instanceof Error ? error.message : String(error)})
          reconnect(Math.min(milliseconds * 2, longestReconnectMilliseconds))
        })
      }, milliseconds).unref()
    }

    await connect()
    return async () => {
      isStopped = true
      clearTimeout(retry)
      letGo?.()
    }
  }
}
