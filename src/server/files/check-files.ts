import {asc, gt, inArray} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {StartFailure} from '../start-failure.ts'
import {files} from '../store/schema/files.ts'
import {inTurns} from '../work/bounded-work.ts'
import {storeOf, type FileStores, type StoredLocation} from './file-stores.ts'
import {findOrphans, orphanMilliseconds} from './sweep-files.ts'

const batchLength = 500
const asksAtOnce = 8
/** The share of missing files above which the store is wrong, and not the rows. */
const mostMissing = 0.5

type CheckDeps = Pick<ServerDeps, 'database' | 'fileStores' | 'log' | 'now'>

export type FileReport = {
  files: number
  bytes: number
  /** Rows whose bytes are in no store, or are not all there. */
  missing: string[]
  /** Bytes that no row names, a week old or older: those that a sweep takes away. */
  orphans: FileTotals
  /** The same, younger: on their way in, or of entries that a restored database does not have. */
  youngOrphans: FileTotals
  /** Uploads to a bucket that never ended, a week old or older; `undefined`: a store does not tell. */
  unfinished: number | undefined
}
type FileTotals = {number: number; bytes: number}

/** Compares the rows with the stores, both ways. Changes nothing. */
export async function checkFiles(deps: CheckDeps): Promise<FileReport> {
  const {database, fileStores, now} = deps
  const result: FileReport = {
    files: 0,
    bytes: 0,
    missing: [],
    orphans: {number: 0, bytes: 0},
    youngOrphans: {number: 0, bytes: 0},
    unfinished: 0,
  }
  for (let after = ''; ;) {
    const batch = await database.asSystem((transaction) =>
      transaction.select().from(files).where(gt(files.storedAs, after)).orderBy(asc(files.storedAs)).limit(batchLength),
    )
    const last = batch.at(-1)
    if (last === undefined) break
    after = last.storedAs
    await inTurns(asksAtOnce, batch, async (row) => {
      result.files += 1
      result.bytes += row.size
      if (!(await isWhole(fileStores, row))) result.missing.push(row.storedAs)
    })
  }
  result.missing.sort()
  const old = new Date(now().getTime() - orphanMilliseconds)
  for await (const {file} of findOrphans(deps, new Date(8.64e15))) {
    const orphans = file.writtenAt < old ? result.orphans : result.youngOrphans
    orphans.number += 1
    orphans.bytes += file.size
  }
  for (const store of fileStores.all) {
    const number = await store.unfinished(old, 'count')
    result.unfinished = number === undefined || result.unfinished === undefined ? undefined : result.unfinished + number
  }
  return result
}

/** In its store, or where it was moved to since its row was read. */
async function isWhole(stores: FileStores, row: StoredLocation & {size: number}): Promise<boolean> {
  const first = storeOf(stores, row)
  for (const store of [first, ...stores.all.filter((other) => other !== first)])
    if ((await store.sizeOf(row.storedAs)) === row.size) return true
  return false
}

/**
 * Deletes rows without bytes, as found by `checkFiles`. Views of such a file already say that it is gone. Returns their
 * number.
 *
 * @throws StartFailure if so many are missing that the store must be the wrong one
 */
export async function removeLostRows(
  deps: CheckDeps,
  {files: all, missing}: Pick<FileReport, 'files' | 'missing'>,
): Promise<number> {
  if (missing.length > Math.max(10, all * mostMissing))
    throw new StartFailure(
      `${missing.length} of ${all} files have no bytes in ${deps.fileStores.all.map(({name}) => name).join(', ')}: that looks like another store, so nothing was removed.`,
    )
  let removedCount = 0
  for (let at = 0; at < missing.length; at += batchLength) {
    const names = missing.slice(at, at + batchLength)
    const stillMissing: string[] = []
    // asked once more: it may have been moved since
    await inTurns(asksAtOnce, names, async (name) => {
      for (const store of deps.fileStores.all) if ((await store.sizeOf(name)) !== undefined) return
      stillMissing.push(name)
    })
    if (stillMissing.length === 0) continue
    const rows = await deps.database.asSystem((transaction) =>
      transaction.delete(files).where(inArray(files.storedAs, stillMissing)).returning({id: files.id}),
    )
    removedCount += rows.length
  }
  return removedCount
}
