import type pg from 'pg'
import {describeError} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Timers} from '../providers/timers.ts'
import {StartFailure} from '../start-failure.ts'
import {longestTurnMilliseconds, waitedInVain} from '../store/take-turn.ts'
import {timeInMilliseconds, timeOf, type DatabaseClock} from '../store/database-clock.ts'
import {ownVersion} from '../version.ts'
import {createPeriodicJobs} from '../work/periodic-jobs.ts'

/**
 * A worker without a renewal for this long, by the database's clock, is dead: others end or continue its work
 * (docs/decisions/0073). A follower in another process is informed within five seconds.
 */
export const leaseMilliseconds = 4_000
/** Milliseconds between renewals where others share the database. */
export const renewMilliseconds = 1_000
/** A process that is alone writes its row for the operator's eyes only. */
const renewAloneMilliseconds = 10_000
export const watchMilliseconds = 250
/** A process takes itself for cut off before others do: counted by its own steady clock, from when it asked. */
const heldMilliseconds = 3_500
const queryTimeoutMilliseconds = 2_000
/** After a longer silence others may have taken it for dead while its sign of life was on the way. */
const continuedMilliseconds = leaseMilliseconds - queryTimeoutMilliseconds

export type LeaseParts = {
  /** Connections of its own: a busy pool must not make a process look dead. */
  pool: pg.Pool
  /** Read with each renewal. */
  databaseClock: DatabaseClock
  timers: Timers
  log: Log
  workerId: () => string
  /** No other process uses this database: there is nobody to be fenced from. */
  isAlone: boolean
  /** The process is cut off from the database. */
  onLost: () => void
  /**
   * Whether this build supports the schema of the database. Asked before the lease counts as held: at the start and
   * after a silence. `false`: not known yet. Throws `StartFailure`.
   */
  confirmSchema: () => Promise<boolean>
  /** This build does not support the schema: the process has to end. */
  onRefused: (failure: StartFailure) => void
  /** A steady clock in milliseconds, which no setting of the time moves. */
  clock?: () => number
}

/** The row by which other processes know that this one lives. */
export type Lease = {
  /** Resolves when it is held; throws when the database refuses. */
  start: () => Promise<void>
  /** Whether this process may begin work: nobody takes it for dead. */
  isHeld: () => boolean
  /**
   * Whether it was held long enough to judge others by: after an outage of the database all of them are late, and each
   * needs the time to be heard again.
   */
  isSettled: () => boolean
  stop: () => Promise<void>
}

export function createLease(parts: LeaseParts): Lease {
  const {pool, timers, log, workerId, isAlone, clock = () => performance.now()} = parts
  const periodicJobs = createPeriodicJobs({timers, log})
  let renewedAt = -Infinity
  /** Held without a break since then; a process that starts finds the others as they are. */
  let heldSince = -Infinity
  let isLost = false
  let isConfirmed = false
  /** A renewal that failed may be written all the same, and hides the silence before it. */
  let isAnswered = false
  let accept: () => void = () => undefined
  let refuse = parts.onRefused
  const confirmation = new Promise<void>((resolve, reject) => ([accept, refuse] = [resolve, reject]))

  const isHeld = () => isAlone || (isConfirmed && clock() - renewedAt < heldMilliseconds)

  const confirm = async () => {
    try {
      const isFit = await parts.confirmSchema()
      if (!isFit && isConfirmed) log.warn('the schema is being contracted; this process waits to see what it becomes')
      isConfirmed = isFit
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error
      isConfirmed = false
      refuse(error)
    }
  }

  const renew = async () => {
    const askedAt = clock()
    const wasAnswered = isAnswered
    isAnswered = false
    const isContinued = await writeSign(parts)
    if (!isAlone && !(wasAnswered && isContinued && isConfirmed)) {
      await confirm()
      if (!isConfirmed) return
      accept()
    }
    isAnswered = true
    if (renewedAt !== -Infinity && askedAt - renewedAt >= heldMilliseconds) heldSince = clock()
    renewedAt = askedAt
    if (isLost) log.warn('the database is back: this process works again')
    isLost = false
  }

  const watch = async () => {
    if (isLost || isHeld()) return
    isLost = true
    log.error('cut off from the database: this process begins nothing more, and its streams end')
    parts.onLost()
  }

  return {
    start: async () => {
      await renew()
      periodicJobs.every(isAlone ? renewAloneMilliseconds : renewMilliseconds, 'a sign of life', renew)
      if (isAlone) return
      if (!isConfirmed) log.info('the schema is being contracted; the start waits to see what it becomes')
      const giveUp = timers.after(longestTurnMilliseconds, () =>
        refuse(waitedInVain('The schema has been contracted, or the database away,', longestTurnMilliseconds)),
      )
      await confirmation.finally(giveUp)
      refuse = parts.onRefused
      periodicJobs.every(watchMilliseconds, 'watching the lease', watch)
    },
    isHeld,
    isSettled: () => isHeld() && clock() - heldSince >= leaseMilliseconds,
    stop: async () => {
      await periodicJobs.stop()
      // the others need not wait for the lease to end
      await pool
        .query('delete from workers where id = $1', [workerId()])
        .catch((error: unknown) => log.warn('the row of this worker stays until its lease ends', describeError(error)))
    },
  }
}

/** Writes the sign of life. @returns whether others took this process for alive all the time since the one before */
async function writeSign({pool, databaseClock, workerId}: LeaseParts): Promise<boolean> {
  let isContinued = false
  await databaseClock.read(async () => {
    const {rows} = await pool.query<{time: number; isContinued: boolean}>({
      text: `insert into workers (id, heartbeat_at, version) values ($1, now(), $2) on conflict (id) do update set heartbeat_at = now()
        returning ${timeInMilliseconds} as time, exists (
          select from workers before where id = $1 and heartbeat_at > now() - interval '${continuedMilliseconds} milliseconds'
        ) as "isContinued"`,
      values: [workerId(), ownVersion],
      query_timeout: queryTimeoutMilliseconds,
    } as pg.QueryConfig) // as: @types/pg does not know query_timeout of one query
    isContinued = rows[0]?.isContinued === true
    return timeOf(rows)
  })
  return isContinued
}
