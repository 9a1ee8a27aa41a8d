import {createHash} from 'node:crypto'
import {setTimeout as delay} from 'node:timers/promises'
import {and, asc, eq, gt, ne} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {inTurns} from '../work/bounded-work.ts'
import {files} from '../store/schema/files.ts'
import {FileGone, isStoreTrouble, type FileStore} from './file-store.ts'
import {storeOf, type StoredLocation} from './file-stores.ts'
import {enterCopy, removeCopy} from './stored-copies.ts'
import {findOrphans} from './sweep-files.ts'

const batchLength = 100
const filesAtOnce = 4
/** A store that does not answer is tried again for about five minutes. */
const mostMisses = 12
/** A sweep may take a copy away before it is entered, and finds none the next time. */
const mostCopies = 5
/** A reader of a row opens the bytes within this time. */
const readerMilliseconds = 3_000

type MoveDeps = Pick<ServerDeps, 'database' | 'fileStores' | 'log' | 'now'>
type Row = StoredLocation & {size: number; type: string}

export type MoveReport = {files: number; bytes: number; missing: string[]; freed: number}
export type MoveOptions = {
  onProgress?: (moved: Readonly<MoveReport>) => void
  pause?: (milliseconds: number) => Promise<unknown>
}

/**
 * Moves all files to the store for new files, while the server is in use: copied, read back and compared by SHA-256,
 * entered, then deleted from the old store. An interrupted run can be repeated and continues with the rest. A file that
 * its user deletes during the move is deleted from both stores.
 *
 * @throws HttpFailure if a store does not answer for minutes
 */
export async function moveFiles(
  deps: MoveDeps,
  {onProgress = () => undefined, pause = delay}: MoveOptions = {},
): Promise<MoveReport> {
  const {database, fileStores} = deps
  const target = fileStores.current
  const totals: MoveReport = {files: 0, bytes: 0, missing: [], freed: 0}
  for (let after = ''; ;) {
    const batch = await database.asSystem((transaction) =>
      transaction
        .select({storedAs: files.storedAs, storedIn: files.storedIn, size: files.size, type: files.type})
        .from(files)
        .where(and(ne(files.storedIn, target.name), gt(files.storedAs, after)))
        .orderBy(asc(files.storedAs))
        .limit(batchLength),
    )
    const last = batch.at(-1)
    if (last === undefined) break
    after = last.storedAs
    await inTurns(filesAtOnce, batch, async (row) => {
      const outcome = await patiently(pause, () => moveOne(deps, row))
      if (outcome === 'missing') totals.missing.push(row.storedAs)
      if (outcome !== 'moved') return
      totals.files += 1
      totals.bytes += row.size
    })
    onProgress(totals)
  }
  await pause(readerMilliseconds)
  totals.freed = await removeCopies(deps)
  return totals
}

async function patiently<T>(pause: (milliseconds: number) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  for (let misses = 1; ; misses += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreTrouble(error) || misses > mostMisses) throw error
      await pause(Math.min(30_000, 1_000 * 2 ** misses))
    }
  }
}

async function moveOne(deps: MoveDeps, row: Row): Promise<'moved' | 'missing' | 'deleted'> {
  const {fileStores} = deps
  const target = fileStores.current
  const {storedAs} = row
  for (let tries = 0; tries < mostCopies; tries += 1) {
    const wholeCopy = await copyWhole(storeOf(fileStores, row), target, row)
    // a deletion takes away the bytes in both stores
    if (wholeCopy === 'no source') return (await storeNameOf(deps, storedAs)) === row.storedIn ? 'missing' : 'deleted'
    const outcome = wholeCopy === 'gone' ? wholeCopy : await enterCopy(deps, row, target)
    if (outcome === 'entered') return 'moved'
    if (outcome === 'gone') continue
    // deleted since, unless another run of this command has entered it
    if ((await storeNameOf(deps, storedAs)) === undefined) await target.remove(storedAs)
    return 'deleted'
  }
  throw new Error(`The copies of ${storedAs} in ${target.name} are gone as soon as they are made`)
}

/** `gone`: the copy was taken away before it was read back. */
async function copyWhole(source: FileStore, target: FileStore, row: Row): Promise<'copied' | 'no source' | 'gone'> {
  let hash: string
  try {
    hash = await copy(source, target, row)
  } catch (error) {
    if (error instanceof FileGone) return 'no source'
    throw error
  }
  try {
    if ((await hashIn(target, row)) === hash) return 'copied'
  } catch (error) {
    if (error instanceof FileGone) return 'gone'
    throw error
  }
  await target.remove(row.storedAs)
  throw new Error(`The copy of ${row.storedAs} in ${target.name} differs from its file`)
}

async function storeNameOf({database}: MoveDeps, storedAs: string): Promise<string | undefined> {
  const [row] = await database.asSystem((transaction) =>
    transaction.select({storedIn: files.storedIn}).from(files).where(eq(files.storedAs, storedAs)),
  )
  return row?.storedIn
}

/** The hash of what was read. */
async function copy(source: FileStore, target: FileStore, {storedAs, size, type}: Row): Promise<string> {
  const content = hashed(await source.open(storedAs, {start: 0, end: size - 1}))
  await target.write(storedAs, content.bytes, {size, type})
  return content.hash()
}

async function hashIn(store: FileStore, {storedAs, size}: Row): Promise<string> {
  const {bytes, hash} = hashed(await store.open(storedAs, {start: 0, end: size - 1}))
  for await (const piece of bytes) void piece
  return hash()
}

function hashed(stream: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of stream) {
      hash.update(piece)
      yield piece
    }
  }
  return {bytes: bytes(), hash: () => hash.digest('hex')}
}

/** Deletes the old copies of files that are entered in the target, also those of an interrupted run. */
async function removeCopies(deps: MoveDeps): Promise<number> {
  const {fileStores, now} = deps
  let freedBytes = 0
  for await (const {store, file, isCopy} of findOrphans(deps, now())) {
    if (isCopy && store !== fileStores.current && (await removeCopy(deps, store, file.name))) freedBytes += file.size
  }
  return freedBytes
}
