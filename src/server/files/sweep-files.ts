import {inArray} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {files} from '../store/schema/files.ts'
import {installationId} from './check-stores.ts'
import type {FileStore, ListedFile} from './file-store.ts'
import {removeCopy} from './stored-copies.ts'

/** Bytes come before their row and go after it, and a move has two copies for a while: younger ones are left. */
export const orphanMilliseconds = 7 * 86_400_000
const batchLength = 500

type SweepDeps = Pick<ServerDeps, 'database' | 'fileStores' | 'log'>

export type Orphan = {
  store: FileStore
  file: ListedFile
  /** A row has the name, and says that its bytes are in another store. Without a row none will ever have it again. */
  isCopy: boolean
}

/** Bytes that no row names in their store, written before then. A store of another installation has none of ours. */
export async function* findOrphans(deps: SweepDeps, before: Date): AsyncGenerator<Orphan> {
  const id = await installationId(deps)
  for (const store of deps.fileStores.all) {
    if ((await store.ownerOf(id)) !== id) {
      deps.log.warn('a store of files belongs to another installation and is not swept', {store: store.name})
      continue
    }
    let batch: ListedFile[] = []
    const orphansOf = async () => {
      const rows = await rowsOf(deps, batch)
      const orphans = batch.filter(({name}) => rows.get(name) !== store.name)
      batch = []
      return orphans.map((file) => ({store, file, isCopy: rows.has(file.name)}))
    }
    for await (const file of store.list()) {
      if (file.writtenAt >= before) continue
      batch.push(file)
      if (batch.length === batchLength) yield* await orphansOf()
    }
    yield* await orphansOf()
  }
}

async function rowsOf({database}: SweepDeps, batch: readonly ListedFile[]): Promise<ReadonlyMap<string, string>> {
  if (batch.length === 0) return new Map()
  const names = batch.map(({name}) => name)
  const rows = await database.asSystem((transaction) =>
    transaction
      .select({storedAs: files.storedAs, storedIn: files.storedIn})
      .from(files)
      .where(inArray(files.storedAs, names)),
  )
  return new Map(rows.map(({storedAs, storedIn}) => [storedAs, storedIn]))
}

export type Swept = {
  number: number
  bytes: number
  unfinished: number
  /** Stores that do not tell of uploads that never ended. */
  untold: string[]
}

/**
 * Takes away what {@link findOrphans} finds, and uploads that never ended. A move may be at work beside it: it writes
 * copies of files that have a row, so those are judged again, each with its row held.
 */
export async function sweepOrphans(deps: SweepDeps, before: Date): Promise<Swept> {
  const totals: Swept = {number: 0, bytes: 0, unfinished: 0, untold: []}
  for await (const {store, file, isCopy} of findOrphans(deps, before)) {
    if (isCopy && !(await removeCopy(deps, store, file.name))) continue
    if (!isCopy) await store.remove(file.name)
    totals.number += 1
    totals.bytes += file.size
  }
  for (const store of deps.fileStores.all) {
    const number = await store.unfinished(before, 'remove')
    if (number === undefined) totals.untold.push(store.name)
    else totals.unfinished += number
  }
  return totals
}
