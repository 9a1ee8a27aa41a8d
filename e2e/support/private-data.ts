import type {Page} from '@playwright/test'

/**
 * Everything the browser keeps for the page's origin that a script can read, as one text: storages, databases, cookies.
 */
export const keptData = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(new Error(request.error?.message))
      })
    const databases: unknown[] = []
    for (const {name} of await indexedDB.databases()) {
      if (name === undefined) continue
      const database = await settled(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store)
        databases.push([name, store, await settled(objects.getAllKeys()), await settled(objects.getAll())])
      }
      database.close()
    }
    return JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, databases])
  })

type StoredToken = {access: string; refresh: string; refreshAt: number; receivedAt: number}
type Stored = {token: StoredToken; user: {id: string}; chat: {credential: {token: string}}}

/** Parses the value under `vuex`; tests/browser asserts its shape. */
// as: see above
export const parseKept = (state: string): Stored => JSON.parse(state) as Stored

/** The same state with another token. */
export const withToken = (state: string, change: Partial<StoredToken>): string => {
  const kept = parseKept(state)
  return JSON.stringify({...kept, token: {...kept.token, ...change}})
}
