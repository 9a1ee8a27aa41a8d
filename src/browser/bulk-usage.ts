/** Whether this browser has ever stored bulk data. Until then the database's code is not loaded for a read. */
export type BulkUsage = {isUsed: () => boolean; markUsed: () => void}

const usageKey = 'atrium.bulk'

/** Stores the flag in `localStorage`. Without storage the answer is unknown, so the database is read. */
export const rememberBulkUsage = (storage: Storage | undefined): BulkUsage => {
  const read = () => {
    try {
      return storage === undefined || storage.getItem(usageKey) !== null
    } catch {
      return true
    }
  }
  let hasData = read()
  return {
    isUsed: () => hasData || (hasData = read()), // another tab may have begun
    markUsed() {
      if (hasData) return
      hasData = true
      try {
        storage?.setItem(usageKey, '1')
      } catch {
        // full: the next page skips the database until its first write
      }
    },
  }
}
