import {createHash} from 'node:crypto'
import {and, asc, eq, lt, sql, type SQL} from 'drizzle-orm'
import {isRecord} from '#contract/is-record.ts'
import {badRequest, HttpFailure} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'
import {idempotencyKeys} from '../store/schema/submits.ts'

/** Keys are kept for at least a day (security R46): of an answer from its request, of a media task from its end. */
export const keptKeyMilliseconds = 48 * 3_600_000

type KeyRow = typeof idempotencyKeys.$inferSelect
export type KeyClaim = {
  userId: string
  key: string
  /** Hash of the submitted request: the same key with another hash is refused. */
  requestHash: string
  /** The row of this submit, if the key is new; none of a branch, whose id is made of its key. */
  subject?: {answerId: string} | {taskId: string} | {orderId: string} | {fileStoredAs: string}
}

const keyHeader = 'Idempotency-Key'

/** A client makes a key for one intent (security R45): short and printable. */
export function checkKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]{1,128}$/.test(key)) throw badRequest('keyForm', keyHeader)
  return key
}

/** Refuses a key that stands for something else. */
export const otherRequest = () => new HttpFailure(422, 'bad_request', 'keyOther', {values: {header: keyHeader}})

/** The same submit whatever the order of its keys, at any depth; the order of a list counts. */
export function requestHashOf(request: Record<string, unknown>): string {
  const sortedText = JSON.stringify(sortedEntries(request), (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(sortedEntries(value)) : value,
  )
  return createHash('sha256').update(sortedText).digest('base64url')
}

const sortedEntries = (record: Record<string, unknown>) =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))

/**
 * Enters a submit under its key, in the transaction that accepts it (security R46): `undefined` when it is new, else
 * the row of the earlier one. A submit with this key that is being accepted right now is waited for.
 *
 * @throws HttpFailure 422 when the key stands for something else
 */
export async function claimKey(
  transaction: Transaction,
  {userId, key, requestHash, subject}: KeyClaim,
): Promise<KeyRow | undefined> {
  const insertedRows = await transaction
    .insert(idempotencyKeys)
    .values({userId, key, requestHash, ...subject})
    .onConflictDoNothing()
    .returning({key: idempotencyKeys.key})
  if (insertedRows.length > 0) return undefined
  const keyRow = await findKey(transaction, {userId, key})
  if (keyRow === undefined || keyRow.requestHash !== requestHash) throw otherRequest()
  return keyRow
}

/** The key of a submit stands for an answer that is there already. */
export const moveKey = (
  transaction: Transaction,
  {userId, key, answerId}: Pick<KeyClaim, 'userId' | 'key'> & {answerId: string},
) =>
  transaction
    .update(idempotencyKeys)
    .set({answerId})
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)))

/** The row of a user's key, if the key was used. */
export async function findKey(
  transaction: Transaction,
  {userId, key}: Pick<KeyClaim, 'userId' | 'key'>,
): Promise<KeyRow | undefined> {
  const [row] = await transaction
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)))
  return row
}

const keysAtOnce = 1_000

/** Deletes the oldest keys from before that moment for which `isOver` holds. Returns whether there may be more. */
export async function deleteSomeKeys(
  transaction: Transaction,
  before: Date,
  isOver: SQL | undefined,
): Promise<boolean> {
  const oldest = transaction
    .select({ctid: sql`ctid`})
    .from(idempotencyKeys)
    .where(and(lt(idempotencyKeys.createdAt, before), isOver))
    .orderBy(asc(idempotencyKeys.createdAt))
    .limit(keysAtOnce)
  const {rowCount} = await transaction.delete(idempotencyKeys).where(sql`ctid = any(array(${oldest}))`)
  return rowCount === keysAtOnce
}
