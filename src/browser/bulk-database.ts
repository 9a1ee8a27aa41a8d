import {Subject} from 'rxjs'
import type {Log} from '#domain/log.ts'
import type {BulkChange} from './bulk-journal.ts'
import type {BulkUsage} from './bulk-usage.ts'

/** The part of localforage used here. */
export type BulkStore = {
  getItem(key: string): Promise<unknown>
  setItem(key: string, value: unknown): Promise<unknown>
  removeItem(key: string): Promise<void>
  keys(): Promise<string[]>
}

/** IndexedDB, or localforage's fallback. Loaded on first use, so that the first paint does not wait for it. */
export const openBulkStore = async (
  loadPart: <Part>(load: () => Promise<Part>) => Promise<Part>,
): Promise<BulkStore> => {
  const {default: localforage} = await loadPart(() => import('localforage'))
  const store = localforage.createInstance({name: 'atrium', storeName: 'bulk'})
  await store.ready()
  return store
}

const createMemoryStore = (): BulkStore => {
  const items = new Map<string, unknown>()
  return {
    getItem: async (key) => items.get(key) ?? null,
    setItem: async (key, value) => items.set(key, value),
    removeItem: async (key) => void items.delete(key),
    keys: async () => Array.from(items.keys()),
  }
}

export type BulkDatabase = ReturnType<typeof createBulkDatabase>

/**
 * The keys and values of the database, opened with the first use; nothing throws. A browser that never stored anything
 * is not asked for anything.
 */
export function createBulkDatabase(open: () => Promise<BulkStore>, log: Log, usage: BulkUsage) {
  const failures = new Subject<void>()
  let opening: Promise<BulkStore> | undefined
  /** The keys that are being read: a caller that asks for them meanwhile waits for the same read. */
  let listing: Promise<string[]> | undefined
  const store = () =>
    (opening ??= open().catch((error: unknown) => {
      log('No database in this browser: conversations last until the page is left', {error: String(error)})
      failures.next()
      return createMemoryStore()
    }))
  return {
    /** A write failed, or the database could not be opened. */
    failed$: failures.asObservable(),
    /** There will be something to read. */
    markUsed: usage.markUsed,
    /** Returns the keys that failed. */
    writeAll: async (changes: readonly BulkChange[]): Promise<string[]> => {
      if (changes.some(([, value]) => value !== undefined)) usage.markUsed()
      if (!(await usage.isUsed())) return []
      const target = await store()
      const results = await Promise.allSettled(
        changes.map(([key, value]) => (value === undefined ? target.removeItem(key) : target.setItem(key, value))),
      )
      listing = undefined
      const rejection = results.find(({status}) => status === 'rejected')
      if (rejection?.status === 'rejected') {
        log('A conversation or draft was not stored', {error: String(rejection.reason)})
        failures.next()
      }
      return changes.flatMap(([key], index) => (results[index]?.status === 'rejected' ? [key] : []))
    },
    readAll: async (keys: readonly string[]): Promise<unknown[]> => {
      if (keys.length === 0 || !(await usage.isUsed())) return keys.map(() => undefined)
      const target = await store()
      const results = await Promise.allSettled(keys.map((key) => target.getItem(key)))
      return results.map((result): unknown => (result.status === 'fulfilled' ? result.value : undefined))
    },
    keysOf: async (prefix: string): Promise<string[]> => {
      try {
        if (!(await usage.isUsed())) return []
        const target = await store()
        listing ??= target.keys().finally(() => {
          listing = undefined
        })
        return (await listing).filter((key) => key.startsWith(prefix))
      } catch (error) {
        log('The database could not be read', {error: String(error)})
        return []
      }
    },
  }
}
