/** A storage of a browser that two tabs share and that can be full or forbidden. */
export const createFakeStorage = () => {
  const items = new Map<string, string>()
  const state = {quota: Number.POSITIVE_INFINITY, isForbidden: false}
  const guard = () => {
    if (state.isForbidden) throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  const storage: Storage = {
    get length() {
      guard()
      return items.size
    },
    key: (index) => Array.from(items.keys())[index] ?? null,
    getItem: (key) => {
      guard()
      return items.get(key) ?? null
    },
    setItem: (key, value) => {
      guard()
      if (value.length > state.quota) throw new DOMException('Full.', 'QuotaExceededError')
      items.set(key, String(value))
    },
    removeItem: (key) => {
      guard()
      items.delete(key)
    },
    clear: () => items.clear(),
  }
  return {storage, items, state}
}
