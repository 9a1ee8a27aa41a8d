/** Whether this browser has ever stored anything here. While it has not, the database's code is not loaded to read it. */
export type BulkUsage = {isUsed: () => boolean; markUsed: () => void}

const usageKey = 'atrium.bulk'

/** Remembers the use beside the state. Without storage nobody knows, so the database is asked. */
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
        // full: the next page asks the database for nothing, and finds out with its first write
      }
    },
  }
}
