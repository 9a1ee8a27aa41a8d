import type {Page} from '@playwright/test'

/** Makes every request of a media tool that the browser keeps older by hours. Gives how many it keeps. */
export const ageKeptRequests = (page: Page, hours: number): Promise<number> =>
  page.evaluate(async (seconds) => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(new Error(request.error?.message))
      })
    let aged = 0
    for (const {name} of await indexedDB.databases()) {
      if (name === undefined) continue
      const database = await settled(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store, 'readwrite').objectStore(store)
        for (const key of await settled(objects.getAllKeys())) {
          if (!String(key).includes('/intent/')) continue
          // as: the shape of what the app keeps is asserted by tests/browser
          const kept = (await settled(objects.get(key))) as {at: number; sentAt?: number}
          const sentAt = kept.sentAt === undefined ? {} : {sentAt: kept.sentAt - seconds}
          await settled(objects.put({...kept, at: kept.at - seconds, ...sentAt}, key))
          aged += 1
        }
      }
      database.close()
    }
    return aged
  }, hours * 3_600)

/** The browser keeps nothing of the set-up of a tool: its next page sets it up anew. */
export const forgetSetUp = (page: Page, tool: string): Promise<void> =>
  page.evaluate((name) => {
    const {[name]: _, ...kept} = JSON.parse(localStorage.getItem('vuex') ?? '{}')
    localStorage.setItem('vuex', JSON.stringify(kept))
  }, tool)
