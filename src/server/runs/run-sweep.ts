import {and, eq, inArray, lt, sql, type SQL} from 'drizzle-orm'
import type {Database} from '../store/database.ts'
import {workers} from '../store/schema/installation.ts'
import {isOpen, isWaiting, type RunKind, type RunRow} from './run-store.ts'
import type {Runner} from './runner.ts'

/** A worker writes its own row before it claims; this only concerns rows of `workers` that were deleted by hand. */
const unknownWorkerMilliseconds = 60_000
/** A process may leave a thousand runs: their followers wait. */
const recoveriesAtOnce = 8

export type RunSweepParts<Row extends RunRow> = {
  kind: RunKind<Row>
  database: Database
  now: () => Date
  workerId: () => string
  runner: Pick<Runner<Row, never>, 'isHere' | 'startWaiting'>
  /** Whether this process starts waiting rows (not in the role `api`). */
  startsRuns: boolean
  /** Ends an open row that no worker works on, or lets another worker go on with it. */
  recover: (row: Row) => Promise<unknown>
  /** A row that did not start within this time is given up. */
  longestWait?: {milliseconds: number; giveUp: (row: Row) => Promise<unknown>}
}

export type RunSweep = {
  /** Recovers the rows of workers that ended without a word. */
  workersDied: (workerIds: readonly string[]) => Promise<void>
  /** Recovers rows without a worker, and starts waiting rows. */
  sweep: () => Promise<void>
}

export function createRunSweep<Row extends RunRow>(parts: RunSweepParts<Row>): RunSweep {
  const {kind, database, now, runner, recover} = parts
  const {table} = kind

  const openRows = async (condition: SQL | undefined): Promise<Row[]> => {
    const rows = await database.asSystem((transaction) =>
      transaction
        .select()
        .from(table)
        .where(and(isOpen(kind), condition)),
    )
    return rows as Row[] // as: a kind's table has the kind's rows
  }

  /** Claimed here, but not running: this process failed to start or to end it. */
  const lostHere = async (): Promise<void> => {
    for (const row of await openRows(eq(table.workerId, parts.workerId())))
      if (!runner.isHere(row.id)) await recover(row)
  }

  const withoutWorker = async (): Promise<void> => {
    const since = new Date(now().getTime() - unknownWorkerMilliseconds)
    const isUnknown = sql`${table.workerId} not in (select ${workers.id} from ${workers})`
    for (const row of await openRows(and(lt(table.startedAt, since), isUnknown))) await recover(row)
  }

  const tooOld = async (): Promise<void> => {
    if (parts.longestWait === undefined) return
    const {milliseconds, giveUp} = parts.longestWait
    const since = new Date(now().getTime() - milliseconds)
    for (const row of await openRows(and(isWaiting(kind), lt(table.createdAt, since)))) await giveUp(row)
  }

  const recoverAll = async (rows: readonly Row[]): Promise<void> => {
    const queue = [...rows]
    const work = async () => {
      for (let row = queue.shift(); row !== undefined; row = queue.shift()) await recover(row)
    }
    await Promise.all(Array.from({length: recoveriesAtOnce}, work))
  }

  return {
    workersDied: async (workerIds) => recoverAll(await openRows(inArray(table.workerId, [...workerIds]))),
    sweep: async () => {
      await lostHere()
      await withoutWorker()
      await tooOld()
      if (parts.startsRuns) await runner.startWaiting()
    },
  }
}
