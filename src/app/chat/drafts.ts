import {z} from '#contract/schema.ts'
import {type BulkStorage} from '#browser/bulk-storage.ts'
import {parseJson} from '#domain/parse-json.ts'
import {type Draft} from '#features/chat/chat.context.tsx'

const reference = z.object({url: z.string(), name: z.string(), size: z.optional(z.number())})
const draftRecord = z.record(z.string(), z.object({text: z.string(), references: z.array(reference)}))

/** Bounds of what is kept: a draft is a convenience, not an archive. */
const most = 50
/** One record holds every draft of a person, so that all are there before the first composer is. */
const recordKey = 'composer'
/** Typed before anybody signed in; the person who signs in gets it. */
const visitor = 'visitor'

export type Drafts = {
  read: (key: string) => Draft | undefined
  write: (key: string, draft: Draft | undefined) => void
  /** Whose drafts these are; `undefined` while nobody is known. Another person's are forgotten here. */
  follow: (userId: string | undefined) => void
  /** What was stored has been read. */
  isReady: () => boolean
  subscribe: (listener: () => void) => () => void
}

/** What was typed and not sent (expectations §3): read at once from memory, stored while typing, kept through a login. */
export function createDrafts(bulk: Pick<BulkStorage, 'draft' | 'saveDraft'>): Drafts {
  const listeners = new Set<() => void>()
  let owner = visitor
  let drafts = new Map<string, Draft>()
  let ready = false

  const save = () => {
    const kept = [...drafts].slice(-most)
    bulk.saveDraft(owner, recordKey, {
      text: kept.length === 0 ? '' : JSON.stringify(Object.fromEntries(kept)),
      references: [],
    })
  }
  const setReady = (value: boolean) => {
    ready = value
    for (const listener of listeners) listener()
  }
  const stored = async (userId: string): Promise<[string, Draft][]> => {
    const text = (await bulk.draft(userId, recordKey))?.text ?? ''
    // not ours, or cut off: the same as no drafts
    const parsed = draftRecord.safeParse(parseJson(text))
    const entries = parsed.success ? Object.entries(parsed.data) : []
    return entries.map(([key, {text, references}]) => [
      key,
      {text, references: references.map((item) => ({...item, size: item.size}))},
    ])
  }
  const load = async (userId: string) => {
    setReady(false)
    const [own, typedBefore] = await Promise.all([stored(userId), userId === visitor ? [] : stored(visitor)])
    if (owner !== userId) return
    const isUnsaved = typedBefore.length > 0 || drafts.size > 0
    // What was typed in this page meanwhile is newer than anything stored.
    drafts = new Map([...own, ...typedBefore, ...drafts])
    if (typedBefore.length > 0) bulk.saveDraft(visitor, recordKey, {text: '', references: []})
    setReady(true)
    if (isUnsaved) save()
  }

  void load(visitor)
  return {
    read: (key) => drafts.get(key),
    write: (key, draft) => {
      drafts.delete(key)
      if (draft !== undefined && (draft.text !== '' || draft.references.length > 0)) drafts.set(key, draft)
      // an empty composer that shows before the stored drafts were read must not empty them
      if (ready) save()
    },
    follow: (userId) => {
      const next = userId ?? visitor
      if (next === owner) return
      if (owner !== visitor) drafts = new Map()
      owner = next
      void load(next)
    },
    isReady: () => ready,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
