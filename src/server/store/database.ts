import {drizzle, type NodePgDatabase} from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type {Log} from '../log.ts'
import {createDatabaseClock, type DatabaseClock} from './database-clock.ts'

/** The tables, inside a transaction that is open already. */
export type Transaction = Omit<NodePgDatabase, 'transaction'>

/**
 * Every statement runs in a transaction for a user or for the system; no other access exists (security R20).
 */
export type Database = {
  /** As one user: role `atrium_app`, row-level security on `app.user`. */
  asUser: <T>(userId: string, work: (transaction: Transaction) => Promise<T>) => Promise<T>
  /** As the installation: workers, sign-in, migrations. Sees all rows. */
  asSystem: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
  /**
   * One statement as the installation, which is a transaction by itself: no `begin` and no `commit` travel with it.
   * Behind a pooler they do, since they bring its time limit along.
   */
  asSystemOnce: <T>(statement: (transaction: Transaction) => Promise<T>) => Promise<T>
  /** Wakes `handle` with each payload notified on `channel`; a lost connection is replaced. Returns the way to stop. */
  listen: (channel: string, handle: (payload: string) => void) => Promise<() => Promise<void>>
  pool: pg.Pool
  /** Past any pooler, for what needs a session of its own: listeners, and graphile-worker, which listens too. */
  direct: pg.Pool
  /** Past any pooler, for the signs of life of this process alone. */
  leases: pg.Pool
  /** Read at the start, and with each sign of life. */
  clock: DatabaseClock
  close: () => Promise<void>
}

export type DatabaseOptions = {
  /**
   * While this returns true, transactions of requests are read-only (security R65); sign-in and answers use the
   * reserve.
   */
  isDiskLow?: () => Promise<boolean>
  /**
   * The way past a pooler in transaction mode, which stands at the other addresses then: those sessions keep nothing
   * from one transaction to the next, and take no settings at their start.
   */
  direct?: pg.PoolConfig | undefined
  /** Other processes use it too: a transaction of one that is cut off must not hold its rows for long. */
  isShared?: boolean
}

/** The most that each pool holds. */
const mostWork = 20
export const mostRequests = 20
const mostDirect = 8
const mostLeases = 1
/** Connections of one process at most: to the server itself, and of those past a pooler where there is one. */
export const connectionsOfNode = mostWork + mostRequests + mostDirect + mostLeases
export const directConnectionsOfNode = mostDirect + mostLeases
/** A pooler's connections, for all nodes: `default_pool_size` of `deploy/pgbouncer.ini` for each of two users. */
export const connectionsOfPooler = 2 * 20

const statementTimeoutMilliseconds = 5_000
/** Shorter than a lease, so that the locks of a dead process are free when others continue its work. */
const idleTimeoutMilliseconds = 3_000
const longestReconnectMilliseconds = 5_000
const notLow = () => Promise.resolve(false)

/**
 * Opens the pools. `connection` is a PostgreSQL URL, or the socket folder of the embedded database; `requests` is how
 * requests log in (`prepareRequestLogin`).
 */
export function openDatabase(
  connection: pg.PoolConfig,
  requests: pg.PoolConfig,
  log: Log,
  {isDiskLow = notLow, direct, isShared = false}: DatabaseOptions = {},
): Database {
  const session = {
    statement_timeout: statementTimeoutMilliseconds,
    ...(isShared ? {idle_in_transaction_session_timeout: idleTimeoutMilliseconds} : {}),
  }
  const atStart = direct === undefined ? session : {}
  const pool = new pg.Pool({...atStart, max: mostWork, ...connection})
  const requestPool = new pg.Pool({...atStart, max: mostRequests, ...requests})
  const directPool = new pg.Pool({...session, max: mostDirect, ...(direct ?? connection)})
  const leases = new pg.Pool({...session, ...(direct ?? connection), max: mostLeases, connectionTimeoutMillis: 2_000})
  const pools = [pool, requestPool, directPool, leases]
  let isClosing = false
  const onError = (error: Error) => {
    // The last words of connections that are being closed are no news.
    if (!isClosing) log.warn('database connection lost', {error: error.message})
  }
  for (const each of pools) {
    each.on('error', onError)
    // A connection lost while it is in use would else be an uncaught error.
    each.on('connect', (client) => client.on('error', onError))
  }
  const orm = drizzle(pool)
  const runTransaction = createRunTransaction(pool)
  // behind a pooler each transaction brings them along
  const settings =
    direct === undefined
      ? []
      : Object.entries(session).map(([name, value]) => `set_config('${name}', '${value}', true)`)
  const beginAsSystem = settings.length === 0 ? 'begin' : `begin; select ${settings.join(', ')}`
  const runRequest = createRunTransaction(requestPool)

  // who it is for travels with the `begin`: a question is a dozen statements, and each round trip delays its first byte
  const asUser: Database['asUser'] = async (userId, work) => {
    const begin = (await isDiskLow()) ? beginReadOnly : 'begin'
    const scope = [
      `set_config('role', 'atrium_app', true)`,
      `set_config('app.user', ${pg.escapeLiteral(userId)}, true)`,
    ]
    return runRequest(`${begin}; select ${[...scope, ...settings].join(', ')}`, work)
  }

  const close = async () => {
    isClosing = true
    await Promise.all(pools.map((each) => each.end()))
  }
  return {
    asUser,
    asSystem: (work) => runTransaction(beginAsSystem, work),
    asSystemOnce: (statement) => (direct === undefined ? statement(orm) : runTransaction(beginAsSystem, statement)),
    listen: createListen(directPool, log),
    pool,
    direct: directPool,
    leases,
    clock: createDatabaseClock(),
    close,
  }
}

/** Work between this `begin` and a commit, on one connection; a throw undoes it. */
function createRunTransaction(pool: pg.Pool) {
  const transactions = new WeakMap<pg.PoolClient, Transaction>()
  const tablesOf = (client: pg.PoolClient): Transaction => {
    const tables = transactions.get(client) ?? drizzle(client)
    transactions.set(client, tables)
    return tables
  }

  return async <T>(begin: string, work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let hasLostContact = false
    try {
      await client.query(begin)
      const result = await work(tablesOf(client))
      await client.query('commit')
      return result
    } catch (error) {
      // if the statement got no answer, this one gets none either
      const isReplica = isReadOnly(error) && !begin.startsWith(beginReadOnly)
      if (isSilence(error) || isReplica) hasLostContact = true
      else await client.query('rollback').catch(() => (hasLostContact = true))
      throw isReplica ? standbyReached(error) : error
    } finally {
      // A connection that cannot even roll back is not used again.
      client.release(hasLostContact)
    }
  }
}

const beginReadOnly = 'begin read only'
const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '25006') || isReadOnly(error.cause))
/** A server that has just been the primary, or is not yet: the next connection leads to the one that is. */
const standbyReached = (cause: unknown) =>
  Object.assign(new Error('The database is a standby', {cause}), {code: '57P03'})

const isSilence = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/**
 * One connection per channel. Notifications during its loss are lost: rows are the truth, a notification only wakes.
 */
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
