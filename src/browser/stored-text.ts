/** One text of this browser, read and written at once: for what a page that goes has no time to write elsewhere. */
export type StoredText = {
  read: () => string | undefined
  /** `undefined` removes it. A storage that is forbidden or full keeps nothing, and says nothing. */
  write: (text: string | undefined) => void
}

export const createStoredText = (storage: Storage | undefined, key: string): StoredText => ({
  read() {
    try {
      return storage?.getItem(key) ?? undefined
    } catch {
      return undefined
    }
  },
  write(text) {
    try {
      if (text === undefined) storage?.removeItem(key)
      else storage?.setItem(key, text)
    } catch {
      // it is a second copy: the database has what was typed a moment earlier
    }
  },
})
