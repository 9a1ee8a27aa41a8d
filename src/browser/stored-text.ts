/** One text of this browser with synchronous access, for data a closing page cannot write elsewhere in time. */
export type StoredText = {
  read: () => string | undefined
  /** `undefined` removes it. If storage is forbidden or full, nothing is kept and no error is reported. */
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
      // the text is a second copy: the database has what was typed a moment earlier
    }
  },
})
