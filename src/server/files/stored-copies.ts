import {and, eq, sql} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import type {Transaction} from '../store/database.ts'
import {files} from '../store/schema/files.ts'
import type {FileStore} from './file-store.ts'
import {storeOf, type StoredLocation} from './file-stores.ts'

/*
 * While a file moves, its bytes are in two stores. Both copies are changed only while the row is locked, also
 * while the store is asked: adding a copy and removing one never overlap.
 */

type CopyDeps = Pick<ServerDeps, 'database' | 'fileStores'>

/** Longer than a store is waited for. It holds one row of `files`, and no request waits for that but its owner's. */
const hold = (transaction: Transaction) =>
  transaction.execute(sql`set local idle_in_transaction_session_timeout = '90s'`)

/** The copy in `target` becomes the file. `gone`: it was swept since it was made; `changed`: the row is another now. */
export async function enterCopy(
  {database}: CopyDeps,
  {storedAs, storedIn, size}: StoredLocation & {size: number},
  target: FileStore,
): Promise<'entered' | 'gone' | 'changed'> {
  return database.asSystem(async (transaction) => {
    await hold(transaction)
    const where = and(eq(files.storedAs, storedAs), eq(files.storedIn, storedIn))
    const [row] = await transaction.select({id: files.id}).from(files).where(where).for('update')
    if (row === undefined) return 'changed'
    if ((await target.sizeOf(storedAs)) !== size) return 'gone'
    await transaction.update(files).set({storedIn: target.name}).where(where)
    return 'entered'
  })
}

/** Takes bytes away that are not the file's any more, and only where the file has its own. Tells whether it did. */
export async function removeCopy(
  {database, fileStores}: CopyDeps,
  store: FileStore,
  storedAs: string,
): Promise<boolean> {
  return database.asSystem(async (transaction) => {
    await hold(transaction)
    const [row] = await transaction
      .select({storedAs: files.storedAs, storedIn: files.storedIn, size: files.size})
      .from(files)
      .where(eq(files.storedAs, storedAs))
      .for('update')

    // without a row its deletion takes the bytes away, from all stores
    if (row === undefined || row.storedIn === store.name) return false
    if ((await storeOf(fileStores, row).sizeOf(storedAs)) !== row.size) return false
    await store.remove(storedAs)
    return true
  })
}
