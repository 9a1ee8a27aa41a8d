import {inArray} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {files} from '../store/schema/files.ts'
import {installationId} from './check-stores.ts'
import type {FileStore, ListedFile} from './file-store.ts'

/** Bytes come before their row and go after it, and a move has two copies for a while: what is younger is left alone. */
export const orphanMilliseconds = 7 * 86_400_000
const batchLength = 500

type SweepDeps = Pick<ServerDeps, 'database' | 'fileStores' | 'log'>

export type Orphan = {store: FileStore; file: ListedFile}

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
      return orphans.map((file) => ({store, file}))
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

/** Takes away what {@link findOrphans} finds, and uploads that never ended. Returns how many bytes that freed. */
export async function sweepOrphans(deps: SweepDeps, before: Date): Promise<{number: number; bytes: number}> {
  const swept = {number: 0, bytes: 0}
  for await (const {store, file} of findOrphans(deps, before)) {
    await store.remove(file.name)
    swept.number += 1
    swept.bytes += file.size
  }
  for (const store of deps.fileStores.all) await store.removeUnfinished(before)
  return swept
}
