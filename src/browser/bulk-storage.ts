import {chatMessage} from '#contract/chat.ts'
import {z} from '#contract/schema.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {Log} from '#domain/log.ts'

/** The part of localforage used here. */
export type BulkStore = {
  getItem(key: string): Promise<unknown>
  setItem(key: string, value: unknown): Promise<unknown>
  removeItem(key: string): Promise<void>
  keys(): Promise<string[]>
}

/** IndexedDB, or what localforage finds instead. Loaded when first used: the first paint does not wait for it. */
export const openBulkStore = async (): Promise<BulkStore> => {
  const {default: localforage} = await import('localforage')
  const store = localforage.createInstance({name: 'atrium', storeName: 'bulk'})
  await store.ready()
  return store
}

const createMemoryStore = (): BulkStore => {
  const items = new Map<string, unknown>()
  return {
    getItem: async (key) => items.get(key) ?? null,
    setItem: async (key, value) => items.set(key, value),
    removeItem: async (key) => void items.delete(key),
    keys: async () => Array.from(items.keys()),
  }
}

const message = z.extend(chatMessage, {seq: z.optional(z.number()), unsent: z.optional(z.boolean())})
const conversationRecord = z.object({
  key: z.string().check(z.minLength(1)),
  id: z.optional(z.string()),
  model: z.string(),
  title: z.optional(z.string()),
  messages: z.array(message),
  updatedAt: z.number(),
})

/** A composer that was not sent. `key` is the idempotency key of a question on its way (security R45). */
const draft = z.object({
  text: z.string(),
  references: z._default(z.array(z.string()), []),
  key: z.optional(z.string()),
})
export type Draft = z.infer<typeof draft>

export type BulkStorage = {
  /** All conversations of a person, newest first. */
  conversations(userId: string): Promise<ConversationRecord[]>
  /** Written within 250 ms; only the last of several writes of one conversation happens. */
  saveConversation(userId: string, record: ConversationRecord): void
  removeConversation(userId: string, key: string): void
  draft(userId: string, conversationKey: string): Promise<Draft | undefined>
  /** An empty draft is removed. */
  saveDraft(userId: string, conversationKey: string, value: Draft): void
  /** Writes what waits, now. */
  flush(): Promise<void>
  /** Removes all that is of this person (security R16). */
  clearUser(userId: string): Promise<void>
}

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

const delay = 250
const prefixOf = (userId: string) => `user/${encodeURIComponent(userId)}/`
const keyOf = (userId: string, kind: 'conversation' | 'draft', key: string) => `${prefixOf(userId)}${kind}/${key}`

/**
 * What is too much for `localStorage`, keyed by user: every conversation and draft (docs/architecture.md §5). A store
 * that cannot be opened is replaced by memory; one that fails later loses that write and says so in the log.
 */
export const createBulkStorage = (
  open: () => Promise<BulkStore>,
  log: Log,
  usage: BulkUsage = {isUsed: () => true, markUsed: () => undefined},
): BulkStorage => {
  let opened: Promise<BulkStore> | undefined
  const store = () =>
    (opened ??= open().catch((error: unknown) => {
      log('No database in this browser: conversations last until the page is left', {error: String(error)})
      return createMemoryStore()
    }))

  const pending = new Map<string, unknown>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const writeAll = async (changes: [string, unknown][]) => {
    if (changes.some(([, value]) => value !== undefined)) usage.markUsed()
    if (!usage.isUsed()) return
    const target = await store()
    const writes = changes.map(([key, value]) =>
      value === undefined ? target.removeItem(key) : target.setItem(key, value),
    )
    const failed = (await Promise.allSettled(writes)).find(({status}) => status === 'rejected')
    if (failed?.status === 'rejected') log('A conversation or draft was not stored', {error: String(failed.reason)})
  }
  /** One after the other: an older write never lands on a newer one. */
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const changes = Array.from(pending)
    pending.clear()
    if (changes.length > 0) writing = writing.then(() => writeAll(changes))
    return writing
  }
  const put = (key: string, value: unknown) => {
    pending.set(key, value)
    timer ??= setTimeout(() => void flush(), delay)
  }

  const readAll = async (keys: readonly string[]) => {
    if (keys.length === 0 || !usage.isUsed()) return keys.map((): unknown => undefined)
    const target = await store()
    const read = await Promise.allSettled(keys.map((key) => target.getItem(key)))
    return read.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
  }
  const keysOf = async (prefix: string) => {
    if (!usage.isUsed()) return []
    const target = await store()
    try {
      return (await target.keys()).filter((key) => key.startsWith(prefix))
    } catch (error) {
      log('The database could not be read', {error: String(error)})
      return []
    }
  }

  return {
    async conversations(userId) {
      await flush()
      const stored = await readAll(await keysOf(keyOf(userId, 'conversation', '')))
      const records = stored.flatMap((value): ConversationRecord[] => {
        const parsed = conversationRecord.safeParse(value)
        return parsed.success ? [parsed.data] : []
      })
      if (records.length < stored.length) log('Stored conversations of another shape were left out')
      return records.sort((a, b) => b.updatedAt - a.updatedAt)
    },
    saveConversation: (userId, record) => put(keyOf(userId, 'conversation', record.key), record),
    removeConversation: (userId, key) => put(keyOf(userId, 'conversation', key), undefined),
    async draft(userId, conversationKey) {
      const key = keyOf(userId, 'draft', conversationKey)
      await flush()
      const [stored] = await readAll([key])
      const parsed = draft.safeParse(stored)
      return parsed.success ? parsed.data : undefined
    },
    saveDraft(userId, conversationKey, value) {
      const isEmpty = value.text === '' && value.references.length === 0
      put(keyOf(userId, 'draft', conversationKey), isEmpty ? undefined : value)
    },
    flush,
    async clearUser(userId) {
      const prefix = prefixOf(userId)
      for (const key of Array.from(pending.keys())) if (key.startsWith(prefix)) pending.delete(key)
      await writing
      await writeAll((await keysOf(prefix)).map((key) => [key, undefined]))
    },
  }
}
