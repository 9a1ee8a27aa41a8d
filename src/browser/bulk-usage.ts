/** Whether this browser has ever stored bulk data. Until then the database's code is not loaded for a read. */
export type BulkUsage = {isUsed: () => Promise<boolean>; markUsed: () => void}

const usageKey = 'atrium.bulk'

/**
 * Notes it in `localStorage`, which tells other tabs before the database is there. A browser writes that to its disk
 * seconds later, so one that was killed may have the database alone: where there is no note the database is looked for.
 * A browser that does not say may have it.
 */
export const rememberBulkUsage = (storage: Storage | undefined): BulkUsage => {
  let hasData = false
  const isNoted = () => {
    try {
      return storage?.getItem(usageKey) != null
    } catch {
      return true
    }
  }
  const isThere = async () => {
    const databases = await globalThis.indexedDB?.databases?.().catch(() => undefined)
    return databases?.some(({name}) => name === 'atrium') ?? true
  }
  return {
    // a first write may come while the database is looked for
    isUsed: async () => hasData || isNoted() || (await isThere()) || hasData,
    markUsed: () => {
      if (hasData) return
      hasData = true
      try {
        storage?.setItem(usageKey, '1')
      } catch {
        // full: the next page looks for the database
      }
    },
  }
}
