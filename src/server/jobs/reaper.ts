import {sql} from 'drizzle-orm'
import type {Log} from '../log.ts'
import type {Database, Transaction} from '../store/database.ts'
import {leaseMilliseconds} from './lease.ts'

export type ReaperParts = {
  database: Database
  log: Log
  workerId: () => string
  /** Recovers what these workers did. More than once for one id is possible. */
  onWorkersDead: (workerIds: readonly string[]) => Promise<void>
}

/** Looks after what workers left behind that ended without a word; any process may, and the first one does. */
export type Reaper = {
  reap: () => Promise<void>
  /** Recovers jobs that are locked by a worker without a row, and for longer than it takes to write one. */
  reapOrphans: () => Promise<void>
  /** Declares every other worker dead: this process is alone with the database. */
  buryOthers: () => Promise<void>
}

/** A process that hangs in the middle loses its lock; the next one continues with the rest. */
const longestRecovery = '10s'
const orphanedAfter = '30 seconds'

export function createReaper({database, log, workerId, onWorkersDead}: ReaperParts): Reaper {
  const recover = async (transaction: Transaction, dead: readonly string[]): Promise<void> => {
    log.warn('workers ended without a word', {workers: dead})
    await onWorkersDead(dead)
    await transaction.execute(sql`select graphile_worker.force_unlock_workers(${sql.param(dead)}::text[])`)
  }

  const isDead = () =>
    sql`id <> ${workerId()} and heartbeat_at < now() - ${leaseMilliseconds} * interval '1 millisecond'`
  const findDead = async (transaction: Transaction, lock = sql``): Promise<string[]> => {
    const {rows} = await transaction.execute<{id: string}>(sql`select id from workers where ${isDead()} ${lock}`)
    return rows.map(({id}) => id)
  }

  return {
    /*
     * The rows of the dead stay locked until all is recovered. So one process does it, and a worker that was only slow
     * waits with its next sign of life until then, and begins nothing before (`lease.isHeld`).
     */
    reap: async () => {
      if ((await database.asSystemOnce((transaction) => findDead(transaction))).length === 0) return
      await database.asSystem(async (transaction) => {
        const dead = await findDead(transaction, sql`for update skip locked`)
        if (dead.length === 0) return
        await transaction.execute(
          sql`select set_config('idle_in_transaction_session_timeout', ${longestRecovery}, true)`,
        )
        await recover(transaction, dead)
        await transaction.execute(sql`delete from workers where id = any(${sql.param(dead)}::text[])`)
      })
    },

    reapOrphans: () =>
      database.asSystem(async (transaction) => {
        const {rows} = await transaction.execute<{id: string}>(
          sql`select distinct locked_by as id from graphile_worker._private_jobs as job
            where locked_by is not null and locked_by <> ${workerId()} and locked_at < now() - ${orphanedAfter}::interval
              and not exists (select from workers where workers.id = job.locked_by)`,
        )
        if (rows.length > 0)
          await recover(
            transaction,
            rows.map(({id}) => id),
          )
      }),

    buryOthers: () =>
      database.asSystem(async (transaction) => {
        await transaction.execute(sql`update workers set heartbeat_at = '-infinity' where id <> ${workerId()}`)
        await transaction.execute(
          sql`insert into workers (id, heartbeat_at) select distinct locked_by, '-infinity'::timestamptz
            from graphile_worker._private_jobs where locked_by <> ${workerId()} on conflict (id) do nothing`,
        )
      }),
  }
}
