import type {Observable} from 'rxjs'
import type {Task} from '#contract/task.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {StoredDraft, StoredDrafts} from '#domain/draft.ts'
import type {StoredIntent} from '#domain/intent.ts'
import type {Log} from '#domain/log.ts'
import {createBulkDatabase, type BulkDatabase, type BulkStore} from './bulk-database.ts'
import {noJournal, type BulkJournal} from './bulk-journal.ts'
import type {BulkUsage} from './bulk-usage.ts'
import {createBulkWrites} from './bulk-writes.ts'

/** In the file of the database, which is open by then. */
const records = () => import('./bulk-records.ts')

/** Records of one kind, under keys that their owner makes. */
type KeptRecords = Pick<BulkDatabase, 'keysOf' | 'readAll'> & {put: (key: string, value: unknown) => void}

export type BulkStorage = {
  /** All conversations of a user, or those under the names that `isWanted` takes, newest first. */
  conversations(userId: string, isWanted?: (name: string) => boolean): Promise<ConversationRecord[]>
  /**
   * Written within 250 ms; several writes of one conversation are joined, the last wins. Its record is under the name
   * of the server as soon as there is one, so that every page writes the same, whatever key it knows it by.
   */
  saveConversation(userId: string, record: ConversationRecord): void
  removeConversation(userId: string, key: string): void
  /**
   * Removes stored conversations with a server id whose name `isKept` rejects. One without an id may belong to another
   * tab and stays.
   */
  pruneConversations(userId: string, isKept: (key: string) => boolean): Promise<void>
  /** Unsent drafts by the key of their conversation. */
  drafts(userId: string): Promise<StoredDrafts>
  /** `undefined` removes it. Each has a record of its own: tabs that write do not undo each other's writes. */
  saveDraft(userId: string, key: string, draft: StoredDraft | undefined): void
  /** A tool's newest tasks, ascending by time. */
  tasks(userId: string, tool: string, most: number): Promise<Task[]>
  /**
   * If this browser has no database yet, a task the server knows does not create one: the write waits for another
   * write, or for `flush`.
   */
  saveTask(userId: string, tool: string, value: Task): void
  removeTask(userId: string, tool: string, value: Pick<Task, 'id' | 'created_at'>): void
  /** All intents of a user, of every tool. */
  intents(userId: string): Promise<StoredIntent[]>
  /** Resolves once written; send the request only then. */
  saveIntent(userId: string, value: StoredIntent): Promise<void>
  removeIntent(userId: string, key: string): void
  /** Records of paths that were read; `kept-paths.ts` reads and bounds them. They go with their conversation. */
  paths: KeptRecords
  /** Records of hidden versions, which `kept-versions.ts` reads and bounds. They go with their conversation. */
  versions: KeptRecords
  /** A write failed, or the database could not be opened. Deserves a notice. */
  failed$: Observable<void>
  /** Writes what waits, now. */
  flush(): Promise<void>
  /** Call when the page is about to close: starts pending writes and journals those that may not finish. */
  leave(): void
  /** Removes all data of this user, the files that were seen among it (`seen-files.ts`; security R16). */
  clearUser(userId: string): Promise<unknown>
  /**
   * Another tab signed this user out and removed their data: nothing that this tab had on its way is written after it.
   * What is stored by now stays: a tab that slept may hear of it in the user's next session.
   */
  dropUser(userId: string): Promise<void>
}

const prefixOf = (userId: string) => `user/${encodeURIComponent(userId)}/`
type Kind = 'conversation' | 'draft' | 'task' | 'intent' | 'path' | 'versions'
const keyOf = (userId: string, kind: Kind, key: string) => `${prefixOf(userId)}${kind}/${key}`

/**
 * How the keys of a user's paths begin, and of those of one conversation.
 * @param conversation the server's name
 */
export const pathPrefix = (userId: string, conversation?: string) =>
  keyOf(userId, 'path', conversation === undefined ? '' : `${encodeURIComponent(conversation)}/`)

/** The same for hidden versions. */
export const versionsPrefix = (userId: string, conversation?: string) =>
  keyOf(userId, 'versions', conversation === undefined ? '' : `${encodeURIComponent(conversation)}/`)
/** They are read again, and would leave no room in the journal for what is not. */
const isReadAgain = (key: string) => key.split('/')[2] === 'versions'

/** Keys sort by time, so that the newest tasks are read without the others. */
const taskKey = (userId: string, tool: string, {id, created_at}: Pick<Task, 'id' | 'created_at'>) =>
  keyOf(
    userId,
    'task',
    `${tool}/${Math.max(0, Math.floor(created_at * 1000))
      .toString()
      .padStart(15, '0')}/${id}`,
  )

/**
 * Data too large for `localStorage`, keyed by user: every conversation and draft (docs/architecture.md §5). A store
 * that cannot be opened is replaced by memory; a failing write is lost and logged.
 */
export const createBulkStorage = (
  open: () => Promise<BulkStore>,
  log: Log,
  usage: BulkUsage = {isUsed: async () => true, markUsed: () => undefined},
  journal: BulkJournal = noJournal,
): BulkStorage => {
  const database = createBulkDatabase(open, log, usage)
  const writes = createBulkWrites(database, journal, isReadAgain)
  const {put, flush} = writes
  const {readAll, keysOf} = database
  const keptRecords: KeptRecords = {keysOf, readAll, put}
  const removeConversation: BulkStorage['removeConversation'] = (userId, key) => {
    put(keyOf(userId, 'conversation', key), undefined)
    void writes.clear(pathPrefix(userId, key))
    void writes.clear(versionsPrefix(userId, key))
  }
  const saveDraft: BulkStorage['saveDraft'] = (userId, key, draft) =>
    put(keyOf(userId, 'draft', key), draft && {...draft, at: Date.now()})
  return {
    async conversations(userId, isWanted = () => true) {
      await flush()
      const prefix = keyOf(userId, 'conversation', '')
      const values = await readAll((await keysOf(prefix)).filter((key) => isWanted(key.slice(prefix.length))))
      if (values.length === 0) return []
      return (await records()).toConversations(values, log)
    },
    saveConversation(userId, record) {
      const {id, key} = record
      put(keyOf(userId, 'conversation', id ?? key), record)
      if (id !== undefined && id !== key) put(keyOf(userId, 'conversation', key), undefined)
    },
    removeConversation,
    async pruneConversations(userId, isKept) {
      await flush()
      const prefix = keyOf(userId, 'conversation', '')
      const isStale = (key: string) => !isKept(key.slice(prefix.length))
      const stale = (await keysOf(prefix)).filter(isStale)
      if (stale.length === 0) return
      const values = await readAll(stale)
      const {isLocal} = await records()
      stale.forEach((key, index) => {
        if (!isLocal(values[index]) && isStale(key)) removeConversation(userId, key.slice(prefix.length))
      })
    },
    async drafts(userId) {
      await flush()
      const prefix = keyOf(userId, 'draft', '')
      const keys = await keysOf(prefix)
      if (keys.length === 0) return {}
      const values = await readAll(keys)
      const ownKeys = keys.map((key) => key.slice(prefix.length))
      return (await records()).toDrafts(ownKeys, values, (key, draft) => saveDraft(userId, key, draft))
    },
    saveDraft,
    async tasks(userId, tool, most) {
      await flush()
      const keys = (await keysOf(keyOf(userId, 'task', `${tool}/`))).sort().slice(-most)
      const values = await readAll(keys)
      return values.length === 0 ? [] : (await records()).toTasks(values)
    },
    saveTask(userId, tool, value) {
      const key = taskKey(userId, tool, value)
      writes.defer(key, value)
      void usage.isUsed().then((isUsed) => isUsed && writes.schedule())
    },
    removeTask: (userId, tool, value) => put(taskKey(userId, tool, value), undefined),
    async intents(userId) {
      await flush()
      const values = await readAll(await keysOf(keyOf(userId, 'intent', '')))
      return values.length === 0 ? [] : (await records()).toIntents(values)
    },
    saveIntent(userId, value) {
      put(keyOf(userId, 'intent', value.key), value)
      return flush()
    },
    removeIntent: (userId, key) => put(keyOf(userId, 'intent', key), undefined),
    paths: keptRecords,
    versions: keptRecords,
    failed$: database.failed$,
    flush,
    leave: writes.leave,
    dropUser: (userId) => writes.drop(prefixOf(userId)),
    clearUser: (userId) =>
      Promise.all([writes.clear(prefixOf(userId)), globalThis.caches?.delete(`atrium-files ${userId}`)]),
  }
}
