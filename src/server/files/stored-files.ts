import {and, arrayContains, eq, or, sql} from 'drizzle-orm'
import {readFile, rm} from 'node:fs/promises'
import type {ServerDeps} from '../deps.ts'
import {HttpFailure, notFound} from '../http/failure.ts'
import {parseFileAddress} from '../platform/addresses.ts'
import type {StoredFile} from '../providers/provider.ts'
import type {Transaction} from '../store/database.ts'
import {files} from '../store/schema/files.ts'
import {filePath, type Incoming} from './file-store.ts'

export type FileRow = typeof files.$inferSelect
/** A user's own file with the id that its address has now. */
export type OwnFile = StoredFile & {id: string}

/**
 * The user's own stored file behind an address in a message. `undefined` for foreign addresses, other people's files
 * and unknown ones: those are passed on as text and fetched by nobody (security R22, R27).
 */
export async function findStoredFile(deps: ServerDeps, userId: string, address: string): Promise<OwnFile | undefined> {
  const named = parseFileAddress(address)
  if (!named) return undefined
  const [row] = await deps.database.asUser(userId, (transaction) =>
    transaction
      .select()
      .from(files)
      // another tab or a draft may still name an address from before it was renewed
      .where(and(or(eq(files.id, named.id), arrayContains(files.formerIds, [named.id])), eq(files.userId, userId))),
  )
  if (!row) return undefined
  const {id, name, type, size} = row
  return {id, name, type, size, read: () => readFile(filePath(deps, row.storedAs))}
}

/** One user's files are counted and entered one after the other. Ends with the transaction. */
export const lockFilesOf = (transaction: Transaction, userId: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`files:${userId}`}, 0))`)

async function usedBytes(transaction: Transaction, userId: string): Promise<number> {
  const [used] = await transaction
    .select({bytes: sql<string>`coalesce(sum(${files.size}), 0)`})
    .from(files)
    .where(eq(files.userId, userId))
  return Number(used?.bytes ?? 0)
}

/** Throws `content_too_large` when nothing more fits into the user's quota: before something is made for it. */
export async function requireRoomForFiles(deps: ServerDeps, transaction: Transaction, userId: string): Promise<void> {
  if ((await usedBytes(transaction, userId)) >= deps.config.fileQuotaBytes) throw quotaExceeded(deps)
}

/**
 * Enters a received file under the user's quota and moves it to its place, both or neither. Uploads of one user take
 * turns here, so that two at once cannot exceed the quota together. `alongside` belongs to the same transaction.
 */
export async function keepFile(
  deps: ServerDeps,
  row: Omit<FileRow, 'createdAt' | 'storedAs' | 'formerIds'>,
  incoming: Incoming,
  alongside?: (transaction: Transaction) => Promise<unknown>,
): Promise<void> {
  try {
    await deps.database.asUser(row.userId, async (transaction) => {
      await lockFilesOf(transaction, row.userId)
      if ((await usedBytes(transaction, row.userId)) + row.size > deps.config.fileQuotaBytes) throw quotaExceeded(deps)
      await transaction.insert(files).values({...row, storedAs: row.id, createdAt: deps.now()})
      await alongside?.(transaction)
      await incoming.keepAs(row.id)
    })
  } catch (error) {
    await rm(filePath(deps, row.id), {force: true})
    throw error
  }
}

const quotaExceeded = ({config}: ServerDeps) =>
  new HttpFailure(413, 'content_too_large', 'fileQuota', {
    field: 'file',
    values: {most: Math.floor(config.fileQuotaBytes / 1_048_576)},
  })

/** Deletes the user's file: first the row, then the bytes; a foreign one is the same 404 as none. */
export async function deleteFile(deps: ServerDeps, userId: string, id: string): Promise<void> {
  const deleted = await deps.database.asUser(userId, (transaction) =>
    transaction
      .delete(files)
      .where(and(eq(files.id, id), eq(files.userId, userId)))
      .returning({storedAs: files.storedAs}),
  )
  const [file] = deleted
  if (file === undefined) throw notFound()
  await rm(filePath(deps, file.storedAs), {force: true})
}
