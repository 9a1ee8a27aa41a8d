/**
 * Whether this browser has ever stored bulk data. Until then the database's code is not loaded for a read.
 * `isFound` looks for a database that the flag does not tell of: a browser writes `localStorage` to its disk seconds
 * later, so one that was killed may have the database alone.
 */
export type BulkUsage = {isUsed: () => boolean; isFound: () => Promise<boolean>; markUsed: () => void}

const usageKey = 'atrium.bulk'

/** Stores the flag in `localStorage`. Without storage the answer is unknown, so the database is read. */
export const rememberBulkUsage = (storage: Storage | undefined): BulkUsage => {
  let hasData = false
  const isUsed = () => {
    try {
      // another tab may have begun
      hasData ||= storage?.getItem(usageKey) !== null
    } catch {
      hasData = true
    }
    return hasData
  }
  const markUsed = () => {
    if (isUsed()) return
    hasData = true
    try {
      storage?.setItem(usageKey, '1')
    } catch {
      // full: the next page looks for the database
    }
  }
  return {
    isUsed,
    markUsed,
    async isFound() {
      const databases = await globalThis.indexedDB?.databases?.()
      if (databases?.some(({name}) => name === 'atrium') === true) markUsed()
      return hasData
    },
  }
}
