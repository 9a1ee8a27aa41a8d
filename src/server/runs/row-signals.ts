import {sql} from 'drizzle-orm'
import type {Database, Transaction} from '../store/database.ts'

/**
 * Notifications between the processes of an installation about rows that workers write (answers, media tasks). A
 * payload is `<row id>` (the row moved), several of them, `<row id> stop` (its worker must end it) or, for answers,
 * `<user id>` (one more began). A lost notification costs time, never correctness: readers also poll.
 */
export type RowSignals = {
  start: (onStop: (id: string) => void) => Promise<void>
  stop: () => Promise<void>
  /** Calls `listener` once when the row moves in any process. Returns the way to take that back. */
  onceMoved: (id: string, listener: () => void) => () => void
}

/** One channel for each kind of row. */
export type SignalChannel = 'answer' | 'task'

/** PostgreSQL takes less than 8,000 bytes in a notification. */
export const idsOfNotice = 200

/** Tells all processes, once the transaction commits. */
export const notifyRow = (transaction: Transaction, channel: SignalChannel, id: string, command?: 'stop') =>
  transaction.execute(sql`select pg_notify(${channel}, ${command === undefined ? id : `${id} ${command}`})`)

export function createRowSignals(database: Database, channel: SignalChannel): RowSignals {
  const waiting = new Map<string, Set<() => void>>()
  let stopListening: (() => Promise<void>) | undefined

  const moved = (id: string) => {
    const listeners = waiting.get(id)
    waiting.delete(id)
    for (const listener of listeners ?? []) listener()
  }

  return {
    start: async (onStop) => {
      stopListening = await database.listen(channel, (payload) => {
        const ids = payload.split(' ')
        if (ids[1] === 'stop') onStop(ids[0] ?? '')
        else ids.forEach(moved)
      })
    },
    stop: async () => {
      await stopListening?.()
    },
    onceMoved: (id, listener) => {
      const listeners = waiting.get(id) ?? new Set()
      waiting.set(id, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && waiting.get(id) === listeners) waiting.delete(id)
      }
    },
  }
}
