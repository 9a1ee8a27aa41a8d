import {isRecord} from '#contract/is-record.ts'
import {parseJson} from '#domain/parse-json.ts'
import type {StoredText} from './stored-text.ts'

/** A key of the database and its new value; `undefined` removes it. */
export type BulkChange = [key: string, value: unknown]

/**
 * A synchronous copy in `localStorage` of writes that a leaving page may not finish: IndexedDB is asynchronous. The
 * next page replays them. Values must survive JSON.
 */
export type BulkJournal = {
  read(): BulkChange[]
  /** Adds changes; the newest change of a key wins. Changes over the size limit are dropped. */
  keep(changes: readonly BulkChange[]): void
  /** Removes the changes whose key is `isDone`: written to the database, or obsolete. */
  drop(isDone: (key: string) => boolean): void
}

/** The journal shares the 5 MB of `localStorage` with the state. */
const mostCharacters = 500_000

export const createBulkJournal = (journalText: StoredText): BulkJournal => {
  // JSON has no `undefined`: a removed key is `null`
  const read = (): BulkChange[] => {
    const entries = parseJson(journalText.read() ?? '')
    return isRecord(entries) ? Object.entries(entries).map(([key, value]) => [key, value ?? undefined]) : []
  }
  const write = (changes: readonly BulkChange[]) => {
    let room = mostCharacters
    const entries = changes.flatMap(([key, value]) => {
      const text = `${JSON.stringify(key)}:${JSON.stringify(value ?? null)}`
      if (text.length > room) return []
      room -= text.length
      return [text]
    })
    journalText.write(entries.length === 0 ? undefined : `{${entries.join(',')}}`)
  }
  return {
    read,
    keep(changes) {
      const keys = new Set(changes.map(([key]) => key))
      if (keys.size > 0) write([...changes, ...read().filter(([key]) => !keys.has(key))])
    },
    drop(isDone) {
      const changes = read()
      const remaining = changes.filter(([key]) => !isDone(key))
      if (remaining.length < changes.length) write(remaining)
    },
  }
}

/** For a browser that forbids `localStorage`: unfinished writes are lost with the page. */
export const noJournal: BulkJournal = {read: () => [], keep: () => undefined, drop: () => undefined}
