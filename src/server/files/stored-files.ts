import {and, arrayContains, eq, or, sql} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {HttpFailure, notFound} from '../http/failure.ts'
import {parseFileAddress} from '../platform/addresses.ts'
import type {StoredFile} from '../providers/provider.ts'
import type {Transaction} from '../store/database.ts'
import {files} from '../store/schema/files.ts'
import {openStored} from './file-stores.ts'
import type {Incoming} from './incoming-file.ts'
import {removeBytes} from './remove-bytes.ts'

export type FileRow = typeof files.$inferSelect
/** A user's own file with the id that its address has now. */
export type OwnFile = StoredFile & {id: string}

/**
 * The user's own stored file behind an address in a message. `undefined` for foreign addresses, other people's files
 * and unknown ones: those are passed on as text and fetched by nobody (security R22, R27).
 */
export async function findStoredFile(deps: ServerDeps, userId: string, address: string): Promise<OwnFile | undefined> {
  const fileAddress = parseFileAddress(address)
  if (!fileAddress) return undefined
  const [row] = await deps.database.asUser(userId, (transaction) =>
    transaction
      .select()
      .from(files)
      // another tab or a draft may still name an address from before it was renewed
      .where(
        and(
          or(eq(files.id, fileAddress.id), arrayContains(files.formerIds, [fileAddress.id])),
          eq(files.userId, userId),
        ),
      ),
  )
  if (!row) return undefined
  const {id, name, type, size} = row
  const read = async () => {
    const bytes = await openStored(deps.fileStores, row, {start: 0, end: size - 1})
    return new Uint8Array(await new Response(bytes).arrayBuffer())
  }
  return {id, name, type, size, read}
}

/** One user's files are counted and entered one after the other. Ends with the transaction. */
export const lockFilesOf = (transaction: Transaction, userId: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`files:${userId}`}, 0))`)

async function usedBytes(transaction: Transaction, userId: string): Promise<number> {
  const [usage] = await transaction
    .select({bytes: sql<string>`coalesce(sum(${files.size}), 0)`})
    .from(files)
    .where(eq(files.userId, userId))
  return Number(usage?.bytes ?? 0)
}

/** Throws `content_too_large` when nothing more fits into the user's quota: before something is made for it. */
export async function requireRoomForFiles(deps: ServerDeps, transaction: Transaction, userId: string): Promise<void> {
  if ((await usedBytes(transaction, userId)) >= deps.config.fileQuotaBytes) throw quotaExceeded(deps)
}

/**
 * Writes a received file to the store and enters it under the user's quota, both or neither. The bytes are written
 * first and outside the transaction, since a store may be slow: an entered file always has its bytes. Entries of one
 * user take turns, so that two uploads at once cannot exceed the quota together. `alongside` belongs to the same
 * transaction; `patiently` may repeat a step after an outage.
 */
export async function keepFile(
  deps: ServerDeps,
  row: Omit<FileRow, 'createdAt' | 'storedAs' | 'storedIn' | 'formerIds'>,
  incoming: Incoming,
  {
    alongside,
    signal,
    patiently = (step) => step(),
  }: {
    alongside?: (transaction: Transaction) => Promise<unknown>
    signal?: AbortSignal
    patiently?: (step: () => Promise<void>) => Promise<void>
  } = {},
): Promise<void> {
  const {database, fileStores} = deps
  const {current} = fileStores
  const requireRoom = async (transaction: Transaction) => {
    if ((await usedBytes(transaction, row.userId)) + row.size > deps.config.fileQuotaBytes) throw quotaExceeded(deps)
  }
  const enter = () =>
    database.asUser(row.userId, async (transaction) => {
      await lockFilesOf(transaction, row.userId)
      await requireRoom(transaction)
      const location = {storedAs: row.id, storedIn: current.name}
      await transaction.insert(files).values({...row, ...location, createdAt: deps.now()})
      await alongside?.(transaction)
    })
  await patiently(() => database.asUser(row.userId, requireRoom))
  await patiently(() => current.keep(row.id, incoming.path, row, signal))
  try {
    await patiently(async () => {
      try {
        await enter()
      } catch (error) {
        // a connection that broke may have done it
        if ((await isEntered(deps, row)) !== true) throw error
      }
    })
  } catch (error) {
    // if that is not known, the bytes belong to a row, or to the next sweep
    if ((await isEntered(deps, row)) === false) await removeBytes(deps, [row.id])
    throw error
  }
}

/**
 * Whether the row is committed. A commit without an answer may still run (behind a pooler, or waiting for a standby);
 * it holds the lock until it ends.
 */
async function isEntered(
  {database}: ServerDeps,
  {id, userId}: Pick<FileRow, 'id' | 'userId'>,
): Promise<boolean | 'unknown'> {
  try {
    const rows = await database.asSystem(async (transaction) => {
      await lockFilesOf(transaction, userId)
      return transaction.select({id: files.id}).from(files).where(eq(files.storedAs, id))
    })
    return rows.length > 0
  } catch {
    return 'unknown'
  }
}

const quotaExceeded = ({config}: ServerDeps) =>
  new HttpFailure(413, 'content_too_large', 'fileQuota', {
    field: 'file',
    values: {most: Math.floor(config.fileQuotaBytes / 1_048_576)},
  })

/** Deletes the user's file: first the row, then the bytes; a foreign one is the same 404 as none. */
export async function deleteFile(deps: ServerDeps, userId: string, id: string): Promise<void> {
  const deletedRows = await deps.database.asUser(userId, (transaction) =>
    transaction
      .delete(files)
      .where(and(eq(files.id, id), eq(files.userId, userId)))
      .returning({storedAs: files.storedAs}),
  )
  const [file] = deletedRows
  if (file === undefined) throw notFound()
  await removeBytes(deps, [file.storedAs])
}
