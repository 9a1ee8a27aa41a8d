import {inArray} from 'drizzle-orm'
import type {Log} from '../log.ts'
import type {Timers} from '../providers/timers.ts'
import type {Database} from '../store/database.ts'
import {credentials} from '../store/schema/platform.ts'
import {createPeriodicJobs} from '../work/periodic-jobs.ts'

/** Clients take a server for gone after 20 s: three of these may be late. */
export const pingMilliseconds = 5_000
export const stallMilliseconds = 15_000
/** Well within the 30 s after which a revoked key must not read any more (security R23). */
export const revocationMilliseconds = 10_000
const endMilliseconds = 1_000
const mostPerUser = 24

/** One open stream to a client. */
export type Connection = {
  userId: string
  credentialId: string | undefined
  /** Writes a comment, if the form has comments and nothing was written since the last look. */
  ping: () => void
  /** Whether nothing was read for a whole interval although something waits. */
  isStalled: () => boolean
  close: () => void
}

/** All open streams of the process: kept alive, checked against revocation, dropped when their client reads nothing. */
export type Connections = {
  /** Adds a stream, unless the user has too many. Returns the function that removes it. */
  add: (connection: Connection) => (() => void) | undefined
  start: () => void
  /** Closes all of them; the answers go on, and the clients resume where they are served. */
  closeAll: () => void
  /** The same, and again each second for those that are still led here. */
  endAll: () => void
  stop: () => Promise<void>
  size: () => number
}

export function createConnections(parts: {
  database: Database
  timers: Timers
  log: Log
  now: () => Date
  limitFactor: number
}): Connections {
  const open = new Set<Connection>()
  const perUser = new Map<string, number>()
  const periodicJobs = createPeriodicJobs(parts)
  const stopLooks: (() => void)[] = []

  const changeCount = (userId: string, by: 1 | -1) => {
    const next = (perUser.get(userId) ?? 0) + by
    if (next <= 0) perUser.delete(userId)
    else perUser.set(userId, next)
  }

  const ping = () => {
    for (const connection of [...open]) connection.ping()
  }
  const endStalled = () => {
    for (const connection of [...open]) if (connection.isStalled()) connection.close()
  }

  const endRevoked = async () => {
    const ids = [...new Set([...open].flatMap(({credentialId}) => (credentialId === undefined ? [] : [credentialId])))]
    if (ids.length === 0) return
    const rows = await parts.database.asSystem((transaction) =>
      transaction
        .select({id: credentials.id, revokedAt: credentials.revokedAt, expiredAt: credentials.expiredAt})
        .from(credentials)
        .where(inArray(credentials.id, ids)),
    )
    const now = parts.now()
    const live = new Set(
      rows
        .filter((row) => row.revokedAt === null && (row.expiredAt === null || row.expiredAt > now))
        .map((row) => row.id),
    )
    for (const connection of [...open])
      if (connection.credentialId !== undefined && !live.has(connection.credentialId)) connection.close()
  }

  const closeAll = () => {
    for (const connection of [...open]) connection.close()
  }

  return {
    add: (connection) => {
      if ((perUser.get(connection.userId) ?? 0) >= mostPerUser * parts.limitFactor) return undefined
      open.add(connection)
      changeCount(connection.userId, 1)
      return () => {
        if (open.delete(connection)) changeCount(connection.userId, -1)
      }
    },
    start: () => {
      stopLooks.push(parts.timers.every(pingMilliseconds, ping), parts.timers.every(stallMilliseconds, endStalled))
      periodicJobs.every(revocationMilliseconds, 'looking for revoked keys', endRevoked)
    },
    closeAll,
    endAll: () => {
      closeAll()
      stopLooks.push(parts.timers.every(endMilliseconds, closeAll))
    },
    stop: async () => {
      for (const stopLook of stopLooks.splice(0)) stopLook()
      const stopping = periodicJobs.stop()
      closeAll()
      await stopping
    },
    size: () => open.size,
  }
}
