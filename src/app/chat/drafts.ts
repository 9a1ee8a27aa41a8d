import {type BulkStorage} from '#browser/bulk-storage.ts'
import type {TabFact, Tabs} from '#browser/tabs.ts'
import {createValueStore} from '#browser/value-store.ts'
import {type StoredText} from '#browser/stored-text.ts'
import type {StoredDraft} from '#domain/draft.ts'
import {loadPart} from '#ui/load-part.ts'
import type {Draft, DraftStore, HeardDraft} from '#features/chat/draft.types.ts'

/** Typed before anybody signed in; the user who signs in gets it. */
const visitor = 'visitor'

const toStored = ({text, references}: Draft): StoredDraft => ({text, references: [...references]})

/** Equal for drafts of the same text and files; empty for none. */
const markOf = (draft: Draft | undefined) =>
  draft === undefined ? '' : [draft.text, ...draft.references.map(({url}) => url)].join('\n')

type DraftHeard = Extract<TabFact, {type: 'draft.heard'}>

export type Drafts = DraftStore & {
  /** The owner of these drafts; `undefined` before the user is known. Drafts of another user are dropped here. */
  follow: (userId: string | undefined) => void
  /** The stored drafts have been read. */
  isReady: () => boolean
  /** The page is about to close: its changes are stored synchronously, until the next page reads them. */
  leave: () => void
  subscribe: (listener: () => void) => () => void
}

/**
 * What was typed and not sent (expectations §3): read at once from memory, stored while typing, kept through a login.
 * What another tab changes or sends replaces the draft here, unless the user has changed it in this tab and it is not the
 * one that was sent.
 */
export function createDrafts(
  bulk: Pick<BulkStorage, 'drafts' | 'saveDraft'>,
  leftText: StoredText,
  tabs: Pick<Tabs, 'tell' | 'facts$'>,
): Drafts {
  const ready = createValueStore(false)
  const latestHeard = createValueStore<HeardDraft | undefined>(undefined)
  let owner = visitor
  let drafts = new Map<string, Draft>()
  /** Those of other tabs that were not taken over: no field shows them before it opens. */
  let others = new Map<string, Draft>()
  /** Keys of what this page changed. */
  let changedKeys = new Set<string>()

  const read = (key: string) => drafts.get(key) ?? others.get(key)
  const save = (key: string) => {
    const draft = read(key)
    bulk.saveDraft(owner, key, draft && toStored(draft))
  }
  const stored = async (userId: string): Promise<[string, Draft][]> => Object.entries(await bulk.drafts(userId))
  /** The drafts that the pages before this one changed as they went. */
  const left = async (userId: string) => {
    const text = leftText.read()
    return text === undefined
      ? []
      : (await loadPart(() => import('#browser/bulk-records.ts'))).toLeftDrafts(userId, text)
  }
  const load = async (userId: string) => {
    ready.set(false)
    const [own, typedBefore, leftBefore] = await Promise.all([
      stored(userId),
      userId === visitor ? [] : stored(visitor),
      left(userId).catch(() => []), // stays for the next page
    ])
    if (owner !== userId) return
    if (leftBefore.length > 0) leftText.write(undefined)
    // Text that was typed in this page since is newer than any stored draft.
    const typedHere = [...drafts].filter(([key]) => changedKeys.has(key))
    const unsaved = [...leftBefore, ...typedBefore, ...typedHere]
    const allDrafts = new Map<string, Draft | null>([...own, ...unsaved])
    drafts = new Map([...allDrafts].flatMap(([key, value]) => (value === null ? [] : [[key, value]])))
    for (const [key] of typedBefore) bulk.saveDraft(visitor, key, undefined)
    ready.set(true)
    for (const [key] of unsaved) save(key)
  }
  const change = (key: string, draft: Draft | undefined, isSent = false) => {
    const was = markOf(drafts.get(key))
    drafts.delete(key)
    const isEmpty = draft === undefined || (draft.text === '' && draft.references.length === 0)
    if (!isEmpty) drafts.set(key, draft)
    const now = markOf(drafts.get(key))
    if (now === was) return
    // a field that opens shows the one of another tab
    if (was === '' && now === markOf(others.get(key))) return void others.delete(key)
    // an empty composer that shows before the stored drafts were read must not empty them
    if (ready.get() || !isEmpty) changedKeys.add(key)
    if (!ready.get()) return
    save(key)
    // older than this: the tab that left it stored it since
    leftText.write(undefined)
    tabs.tell({
      type: 'draft.heard',
      owner,
      key,
      draft: isEmpty ? undefined : toStored(draft),
      sent: isSent ? was : undefined,
    })
  }
  const hear = ({key, draft, sent}: DraftHeard) => {
    const own = drafts.get(key)
    const isFollowed = own !== undefined && (markOf(own) === sent || !changedKeys.has(key))
    if (isFollowed || own === undefined) changedKeys.delete(key)
    const place = isFollowed ? drafts : others
    if (draft === undefined) place.delete(key)
    else place.set(key, draft)
    if (isFollowed) latestHeard.set({key, draft})
  }
  tabs.facts$.subscribe((fact) => {
    // earlier ones are in what is read
    if (fact.type === 'draft.heard' && fact.owner === owner && ready.get()) hear(fact)
  })

  void load(visitor)
  return {
    read,
    write: change,
    close: (key) => change(key, undefined, true),
    heard: latestHeard,
    follow: (userId) => {
      const next = userId ?? visitor
      if (next === owner) return
      others = new Map()
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
      const entries = [...changedKeys].map((key) => [key, read(key) ?? null] as const)
      const own = JSON.stringify({owner, drafts: Object.fromEntries(entries)})
      // another tab may just have left its own
      leftText.write([leftText.read(), own].filter(Boolean).join('\n'))
    },
    subscribe: ready.subscribe,
  }
}
