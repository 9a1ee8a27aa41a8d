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
  let used = read()
  return {
    isUsed: () => used || (used = read()), // another tab may have begun
    markUsed() {
      if (used) return
      used = true
      try {
        storage?.setItem(usageKey, '1')
      } catch {
        // full: the next page skips the database until its first write
      }
    },
  }
}
