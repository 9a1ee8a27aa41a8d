import {isRecord} from '#domain/is-record.ts'
import {parseJson} from '#domain/parse-json.ts'
import type {StoredText} from './stored-text.ts'

/** A key of the database and its new value; `undefined` removes it. */
export type BulkChange = [key: string, value: unknown]

/**
 * The writes that a leaving page may have no time to finish: IndexedDB is asynchronous, `localStorage` is not. The next
 * page writes them to the database. Values must survive JSON.
 */
export type BulkJournal = {
  read(): BulkChange[]
  /** Adds changes, the newest of a key wins. What exceeds the bound is left out. */
  keep(changes: readonly BulkChange[]): void
  /** Forgets the changes whose key is `isDone`: they are in the database, or obsolete. */
  drop(isDone: (key: string) => boolean): void
}

/** The journal shares the 5 MB of `localStorage` with the state. */
const mostCharacters = 500_000

export const createBulkJournal = (stored: StoredText): BulkJournal => {
  // JSON has no `undefined`: a removed key is `null`
  const read = (): BulkChange[] => {
    const entries = parseJson(stored.read() ?? '')
    return isRecord(entries) ? Object.entries(entries).map(([key, value]) => [key, value ?? undefined]) : []
  }
  const write = (changes: readonly BulkChange[]) => {
    let left = mostCharacters
    const entries = changes.flatMap(([key, value]) => {
      const text = `${JSON.stringify(key)}:${JSON.stringify(value ?? null)}`
      if (text.length > left) return []
      left -= text.length
      return [text]
    })
    stored.write(entries.length === 0 ? undefined : `{${entries.join(',')}}`)
  }
  return {
    read,
    keep(changes) {
      const keys = new Set(changes.map(([key]) => key))
      if (keys.size > 0) write([...changes, ...read().filter(([key]) => !keys.has(key))])
    },
    drop(isDone) {
      const changes = read()
      const kept = changes.filter(([key]) => !isDone(key))
      if (kept.length < changes.length) write(kept)
    },
  }
}

/** For a browser that forbids `localStorage`: nothing outlives the page there. */
export const noJournal: BulkJournal = {read: () => [], keep: () => undefined, drop: () => undefined}
