/** Whether this browser has ever stored bulk data. Until then the database's code is not loaded for a read. */
export type BulkUsage = {isUsed: () => Promise<boolean>; markUsed: () => void}

/** Asks the browser whether it has the database, until it has. A browser that does not say may have it. */
export const createBulkUsage = (): BulkUsage => {
  let hasData = false
  const isThere = async () => {
    const databases = await globalThis.indexedDB?.databases?.().catch(() => undefined)
    return databases?.some(({name}) => name === 'atrium') ?? true
  }
  return {
    isUsed: async () => (hasData ||= await isThere()),
    markUsed: () => {
      hasData = true
    },
  }
}
