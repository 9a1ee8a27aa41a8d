import type {BulkDatabase} from './bulk-database.ts'
import type {BulkChange, BulkJournal} from './bulk-journal.ts'

const delay = 250

/**
 * The writes on their way to the database, in order, and those that the page before this one left in the journal.
 * @param isReadAgain a key whose value the journal does without
 */
export function createBulkWrites(
  database: BulkDatabase,
  journal: BulkJournal,
  isReadAgain: (key: string) => boolean = () => false,
) {
  const pending = new Map<string, unknown>()
  /** Values not yet written to the database. */
  const openWrites = new Map<string, unknown>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const store = async (changes: readonly BulkChange[]) => {
    const unwritten = await database.writeAll(changes)
    for (const [key, value] of changes) if (openWrites.get(key) === value) openWrites.delete(key)
    // the journal keeps writes the database refused: the next page may succeed
    journal.drop((key) => !unwritten.includes(key) && changes.some(([writtenKey]) => writtenKey === key))
  }
  /** Writes run one after another: an older write never overwrites a newer one. */
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const changes = Array.from(pending)
    pending.clear()
    if (changes.length === 0) return writing
    for (const [key, value] of changes) openWrites.set(key, value)
    writing = writing.then(() => store(changes))
    return writing
  }

  const schedule = () => {
    timer ??= setTimeout(() => void flush(), delay)
  }

  const dropPending = (prefix: string) => {
    for (const key of Array.from(pending.keys())) if (key.startsWith(prefix)) pending.delete(key)
  }

  for (const [key, value] of journal.read()) {
    pending.set(key, value)
    if (value !== undefined) database.markUsed()
  }
  if (pending.size > 0) void flush()

  return {
    /** `undefined` removes the key. */
    put: (key: string, value: unknown) => {
      pending.set(key, value)
      schedule()
    },
    /** Writes soon what waits. */
    schedule,
    /** Written with the next write, or with `flush`. */
    defer: (key: string, value: unknown) => void pending.set(key, value),
    flush,
    leave: () => {
      void flush()
      journal.keep(Array.from(openWrites).filter(([key, value]) => value === undefined || !isReadAgain(key)))
    },
    /** Takes back the writes of this prefix that are on their way; what else is stored stays. */
    drop: (prefix: string) => {
      dropPending(prefix)
      // after those that run, also where the page goes before they have ended: the journal is told to remove them
      for (const key of openWrites.keys()) if (key.startsWith(prefix)) pending.set(key, undefined)
      return flush()
    },
    /** Removes all keys with this prefix, also those on their way. */
    clear: async (prefix: string) => {
      dropPending(prefix)
      journal.drop((key) => key.startsWith(prefix))
      await writing
      await database.writeAll((await database.keysOf(prefix)).map((key) => [key, undefined]))
    },
  }
}
