import {z} from '#contract/schema.ts'
import {type BulkStorage} from '#browser/bulk-storage.ts'
import {createValueStore} from '#browser/value-store.ts'
import {type StoredText} from '#browser/stored-text.ts'
import {storedDraft, type StoredDraft} from '#domain/draft.ts'
import {parseJson} from '#domain/parse-json.ts'
import type {Draft} from '#features/chat/draft.types.ts'

/** What a page changed in its last moments; `null`: sent or emptied. */
const leftRecord = z.object({owner: z.string(), drafts: z.record(z.string(), z.nullable(storedDraft))})

/** Bounds of what is kept: a draft is a convenience, not an archive. */
const most = 50
/** Typed before anybody signed in; the user who signs in gets it. */
const visitor = 'visitor'

/** Absent sizes are named: a draft that was read equals the one that was written. */
const toDraft = ({text, references}: StoredDraft): Draft => ({
  text,
  references: references.map((item) => ({...item, size: item.size})),
})

export type Drafts = {
  read: (key: string) => Draft | undefined
  write: (key: string, draft: Draft | undefined) => void
  /** The owner of these drafts; `undefined` before the user is known. Drafts of another user are dropped here. */
  follow: (userId: string | undefined) => void
  /** The stored drafts have been read. */
  isReady: () => boolean
  /** The page is about to close: its changes are stored synchronously, until the next page reads them. */
  leave: () => void
  subscribe: (listener: () => void) => () => void
}

/** What was typed and not sent (expectations §3): read at once from memory, stored while typing, kept through a login. */
export function createDrafts(bulk: Pick<BulkStorage, 'drafts' | 'saveDrafts'>, leftText: StoredText): Drafts {
  const ready = createValueStore(false)
  let owner = visitor
  let drafts = new Map<string, Draft>()
  /** Keys of what this page changed. */
  let changedKeys = new Set<string>()

  const save = () => {
    const newest = [...drafts].slice(-most)
    bulk.saveDrafts(
      owner,
      Object.fromEntries(newest.map(([key, {text, references}]) => [key, {text, references: [...references]}])),
    )
  }
  const stored = async (userId: string): Promise<[string, Draft][]> => {
    const entries = Object.entries(await bulk.drafts(userId))
    return entries.map(([key, value]) => [key, toDraft(value)])
  }
  /** What the page before this one changed as it went, once. */
  const takeLeft = (userId: string): [string, Draft | undefined][] => {
    const parsing = leftRecord.safeParse(parseJson(leftText.read() ?? ''))
    if (!parsing.success || parsing.data.owner !== userId) return []
    leftText.write(undefined)
    return Object.entries(parsing.data.drafts).map(([key, value]) => [key, value === null ? undefined : toDraft(value)])
  }
  const load = async (userId: string) => {
    ready.set(false)
    const [own, typedBefore] = await Promise.all([stored(userId), userId === visitor ? [] : stored(visitor)])
    if (owner !== userId) return
    const leftBefore = takeLeft(userId)
    const isUnsaved = typedBefore.length > 0 || leftBefore.length > 0 || drafts.size > 0
    // Text that was typed in this page since is newer than any stored draft.
    const allDrafts = new Map<string, Draft | undefined>([...own, ...leftBefore, ...typedBefore, ...drafts])
    drafts = new Map([...allDrafts].flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
    if (typedBefore.length > 0) bulk.saveDrafts(visitor, {})
    ready.set(true)
    if (isUnsaved) save()
  }

  void load(visitor)
  return {
    read: (key) => drafts.get(key),
    write: (key, draft) => {
      drafts.delete(key)
      const isEmpty = draft === undefined || (draft.text === '' && draft.references.length === 0)
      if (!isEmpty) drafts.set(key, draft)
      // an empty composer that shows before the stored drafts were read must not empty them
      if (ready.get() || !isEmpty) changedKeys.add(key)
      if (ready.get()) save()
    },
    follow: (userId) => {
      const next = userId ?? visitor
      if (next === owner) return
      if (owner !== visitor) {
        drafts = new Map()
        changedKeys = new Set()
        leftText.write(undefined)
      }
      owner = next
      void load(next)
    },
    isReady: ready.get,
    leave() {
      if (changedKeys.size === 0) return
      const entries = [...changedKeys].map((key) => [key, drafts.get(key) ?? null] as const)
      leftText.write(JSON.stringify({owner, drafts: Object.fromEntries(entries)}))
    },
    subscribe: ready.subscribe,
  }
}
