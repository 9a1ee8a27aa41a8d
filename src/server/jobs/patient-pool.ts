import type pg from 'pg'
import {describeError, isDatabaseAway} from '../http/boundary.ts'
import type {Log} from '../log.ts'

/** The code for which graphile-worker tries again soonest: after 50 ms, later every 5 s. */
const tryAgain = '40001'

/**
 * The pool for graphile-worker. It writes down the end of a job without waiting for it, and tries again only for some
 * codes: a connection that breaks at that moment would be a rejection that nobody handles, which ends the process. Here
 * every outage of the database has such a code, until `isStopping`: then nothing is waited for.
 */
export function patientPool(pool: pg.Pool, log: Log, isStopping: () => boolean): pg.Pool {
  const rethrow = (error: unknown): never => {
    if (isStopping() || !isDatabaseAway(error)) throw error
    log.warn('the job queue waits for the database', describeError(error))
    throw Object.assign(new Error('The database is away.', {cause: error}), {code: tryAgain})
  }
  const patientClient = (client: pg.PoolClient) =>
    overriding(client, {
      query: async (...question) => Promise.resolve(invoke(client, 'query', question)).catch(rethrow),
    })
  return overriding(pool, {
    // its listener asks with a callback, and comes back by itself
    connect: (...callback) =>
      callback.length > 0 ? invoke(pool, 'connect', callback) : pool.connect().then(patientClient, rethrow),
  })
}

type Method = (...values: unknown[]) => unknown

function invoke(target: object, name: PropertyKey, values: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(target, name, target)
  if (typeof method !== 'function') throw new Error(`${String(name)} is no method`)
  return (method as Method).apply(target, [...values]) // as: a function, whatever it takes
}

/** The same object, but for these methods. */
function overriding<T extends object>(target: T, methods: Record<string, Method>): T {
  return new Proxy(target, {
    get: (_, name) => {
      const own = typeof name === 'string' ? methods[name] : undefined
      if (own !== undefined) return own
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (...values: unknown[]) => invoke(target, name, values) : value
    },
  })
}
