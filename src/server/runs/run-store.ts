import {and, asc, eq, inArray, isNotNull, isNull, notInArray, sql} from 'drizzle-orm'
import {isRecord} from '#contract/is-record.ts'
import {HttpFailure, type FailureId} from '../http/failure.ts'
import {enqueueJob} from '../jobs/jobs.ts'
import {refundCredits, settleCredits} from '../ledger/ledger.ts'
import {isUuid} from '../platform/fields.ts'
import type {Database, Transaction} from '../store/database.ts'
import type {answers} from '../store/schema/chat.ts'
import type {tasks} from '../store/schema/media.ts'
import {notifyRow} from './row-signals.ts'
import {insertUsage, type UsageEntry} from './usage.ts'

/*
 * The rows of long work (docs/decisions/0034): an answer or a media task waits, is claimed by one worker at a time, and
 * ends. Each claim, release and take-over raises `fence`, and only the newest fence's holder may write (security R66).
 */

export type RunTable = typeof answers | typeof tasks
export type RunRow = RunTable['$inferSelect']

/** One kind of long work. */
export type RunKind<Row extends RunRow> = {
  /** The channel of its notifications, its job in the queue, and the prefix of its locks and ledger references. */
  name: 'answer' | 'task'
  table: RunTable
  waiting: RunRow['state']
  running: RunRow['state']
  /** Updates what repeats the row's state elsewhere, after a claim and after a release. */
  stateChanged: (transaction: Transaction, row: Row) => Promise<unknown>
}

/** For functions that read no whole row. */
type AnyKind = RunKind<never>

/** One worker's hold on a row. */
export type Run = {id: string; fence: number}

export const holdReference = ({name}: AnyKind, id: string): string => `${name}:${id}`

export const isOpen = ({table, waiting, running}: AnyKind) => inArray(table.state, [waiting, running])
export const isWaiting = ({table, waiting}: AnyKind) => and(eq(table.state, waiting), isNull(table.workerId))
const isHeld = (kind: AnyKind) => and(isOpen(kind), isNotNull(kind.table.workerId))
export const isRunOf = (kind: AnyKind, {id, fence}: Run) =>
  and(eq(kind.table.id, id), eq(kind.table.fence, fence), isOpen(kind))

/** Another worker has the run, or it has ended: this one does nothing more for it. */
export class RunLost extends Error {}

/** @throws RunLost */
export async function requireRun(transaction: Transaction, kind: AnyKind, run: Run): Promise<void> {
  const {table} = kind
  const rows = await transaction.select({id: table.id}).from(table).where(isRunOf(kind, run))
  if (rows.length === 0) throw new RunLost()
}

/** Well below a lease: nobody has taken a run from a process that asked so short a time ago. */
const trustedMilliseconds = 2_000

/**
 * As `requireRun`, before something is bought. An older answer is asked for again: a process that stood still may
 * have lost the run to another one.
 *
 * @throws RunLost
 */
export async function confirmRun(
  {asSystemOnce}: Pick<Database, 'asSystemOnce'>,
  kind: AnyKind,
  run: Run,
  clock = () => performance.now(),
): Promise<void> {
  let askedAt: number
  do {
    askedAt = clock()
    await asSystemOnce((statement) => requireRun(statement, kind, run))
  } while (clock() - askedAt > trustedMilliseconds)
}

/** One user's runs are counted and claimed one after the other. Ends with the transaction. */
export const lockRunsOf = (transaction: Transaction, {name}: AnyKind, userId: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${name}s:${userId}`}, 0))`)

export const countRunning = (transaction: Transaction, kind: AnyKind, userId: string): Promise<number> =>
  transaction.$count(kind.table, and(eq(kind.table.userId, userId), isHeld(kind)))

/** @throws HttpFailure 429 when as many of the user's runs wait as may */
export async function requireRoomInLine(
  transaction: Transaction,
  kind: AnyKind,
  userId: string,
  {most, refusal, retryAfterSeconds}: {most: number; refusal: FailureId; retryAfterSeconds: number},
): Promise<void> {
  const waiting = await transaction.$count(kind.table, and(eq(kind.table.userId, userId), isWaiting(kind)))
  if (waiting >= most) throw new HttpFailure(429, 'too_many_requests', refusal, {retryAfterSeconds})
}

/** Has a process that works on such rows called, once the transaction commits. */
export const enqueueRun = (transaction: Transaction, {name}: AnyKind, id: string) =>
  enqueueJob(transaction, name, {[`${name}Id`]: id}, {key: `${name}:${id}`})

/** The row that a job names. */
export function rowIdOf({name}: AnyKind, payload: unknown): string {
  const id = isRecord(payload) ? payload[`${name}Id`] : undefined
  if (typeof id !== 'string' || !isUuid(id)) throw new Error(`The job names no ${name}`)
  return id
}

/** The oldest waiting row of each user who may have one more running, oldest first. */
export async function findStartable(transaction: Transaction, kind: AnyKind, perUser: number): Promise<string[]> {
  const {table} = kind
  const busyUsers = transaction
    .select({userId: table.userId})
    .from(table)
    .where(isHeld(kind))
    .groupBy(table.userId)
    .having(sql`count(*) >= ${perUser}::numeric`)
  const rows = await transaction
    .selectDistinctOn([table.userId], {id: table.id, createdAt: table.createdAt})
    .from(table)
    .where(and(isWaiting(kind), notInArray(table.userId, busyUsers)))
    .orderBy(table.userId, asc(table.createdAt))
  return rows.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()).map(({id}) => id)
}

/** Takes a waiting row for a worker, unless `perUser` rows of its user are running already. */
export async function claimRun<Row extends RunRow>(
  transaction: Transaction,
  kind: RunKind<Row>,
  {id, workerId, perUser, now}: {id: string; workerId: string; perUser: number; now: Date},
): Promise<Row | undefined> {
  const {table, running} = kind
  const isMeant = and(eq(table.id, id), isWaiting(kind))
  const [waiting] = await transaction.select({userId: table.userId}).from(table).where(isMeant)
  if (waiting === undefined) return undefined
  await lockRunsOf(transaction, kind, waiting.userId)
  if ((await countRunning(transaction, kind, waiting.userId)) >= perUser) return undefined
  const rows = await transaction
    .update(table)
    .set({
      workerId,
      fence: sql`${table.fence} + 1`,
      state: running,
      startedAt: sql`coalesce(${table.startedAt}, ${now.toISOString()}::timestamptz)`,
    })
    .where(isMeant)
    .returning()
  const row = await changed(transaction, kind, rows)
  if (row !== undefined) await notifyRow(transaction, kind.name, id)
  return row
}

async function releaseRun<Row extends RunRow>(
  transaction: Transaction,
  kind: RunKind<Row>,
  run: Run,
): Promise<Row | undefined> {
  const rows = await transaction
    .update(kind.table)
    .set({workerId: null, state: kind.waiting, fence: run.fence + 1})
    .where(isRunOf(kind, run))
    .returning()
  return changed(transaction, kind, rows)
}

/** Lets a run go, and calls a worker that goes on with it. */
export async function handOver<Row extends RunRow>(
  transaction: Transaction,
  kind: RunKind<Row>,
  run: Run,
): Promise<void> {
  if (await releaseRun(transaction, kind, run)) await enqueueRun(transaction, kind, run.id)
}

async function changed<Row extends RunRow>(
  transaction: Transaction,
  kind: RunKind<Row>,
  [first]: readonly RunRow[],
): Promise<Row | undefined> {
  const row = first as Row | undefined // as: a kind's table has the kind's rows
  if (row === undefined) return undefined
  await kind.stateChanged(transaction, row)
  return row
}

/** Takes an open row from its worker, which can no longer write if it still lives. */
export async function takeRun<Row extends RunRow>(
  transaction: Transaction,
  kind: RunKind<Row>,
  run: Run,
): Promise<Row | undefined> {
  const [row] = await transaction
    .update(kind.table)
    .set({fence: sql`${kind.table.fence} + 1`})
    .where(isRunOf(kind, run))
    .returning()
  return row as Row | undefined // as: a kind's table has the kind's rows
}

export type RunSettlement<Row extends RunRow> = {
  /** Columns of the end. */
  facts: Partial<Row>
  /** Credits to charge from the hold; `undefined` refunds all of it. */
  charge: string | undefined
  /** The usage row, where a provider was asked. */
  usage: Pick<UsageEntry, 'statusCode' | 'serviceId' | 'api' | 'metadata'> | undefined
  now: Date
}

/**
 * Ends a run: row, credits and usage row in one transaction that only the holder of the fence can make. Returns the
 * row, or `undefined` when it has ended otherwise.
 */
export async function settleRun<Row extends RunRow>(
  transaction: Transaction,
  kind: RunKind<Row>,
  run: Run,
  {facts, charge, usage, now}: RunSettlement<Row>,
): Promise<Row | undefined> {
  const {table} = kind
  const [row] = await transaction
    .update(table)
    .set({...facts, finishedAt: now})
    .where(isRunOf(kind, run))
    .returning()
  if (row === undefined) return undefined
  const reference = holdReference(kind, row.id)
  let settledAmount = '0'
  if (charge === undefined) await refundCredits(transaction, reference)
  else settledAmount = await settleCredits(transaction, {reference, amount: charge})
  await transaction.update(table).set({settled: settledAmount}).where(eq(table.id, row.id))
  const {userId, applicationId, credentialId, traceId} = row
  if (usage !== undefined && applicationId !== null) {
    const caller = {userId, applicationId, credentialId, traceId}
    await insertUsage(transaction, {...caller, ...usage, deductedAmount: settledAmount, createdAt: now})
  }
  await notifyRow(transaction, kind.name, row.id)
  return row as Row // as: a kind's table has the kind's rows
}
