import {type BulkStorage} from '#browser/bulk-storage.ts'
import type {TabFact, Tabs} from '#browser/tabs.ts'
import {createValueStore} from '#browser/value-store.ts'
import {type StoredText} from '#browser/stored-text.ts'
import {otherKey, type StoredDraft} from '#domain/draft.ts'
import {loadPart} from '#ui/load-part.ts'
import type {Draft, DraftStore, HeardDraft} from '#features/chat/draft.types.ts'

/** Typed before anybody signed in; the user who signs in gets it. */
const visitor = 'visitor'

const toStored = (draft: Draft | undefined): StoredDraft | undefined =>
  draft && {text: draft.text, references: [...draft.references]}

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
 * Drafts are texts that were typed and not sent (expectations §3): read at once from memory, stored while typing, kept
 * through a login. A draft that another tab changes or sends replaces the draft here, unless the user has changed it
 * in this tab and it is not the one that was sent. If two tabs have typed, both texts are kept: the other one waits
 * until the field is free (docs/decisions/0170).
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
  /** Keys of what this page changed. */
  let changedKeys = new Set<string>()

  const put = (key: string, draft: Draft | undefined) => {
    if (draft === undefined) drafts.delete(key)
    else drafts.set(key, draft)
  }
  /** The draft that stood under the key waits beside the one that was typed without knowing it. */
  const putBeside = (key: string, draft: Draft) => {
    const storedDraft = drafts.get(key)
    if (storedDraft !== undefined && markOf(storedDraft) !== markOf(draft)) drafts.set(otherKey(key), storedDraft)
    drafts.set(key, draft)
  }
  /** A draft of another tab shows in no field before one opens that is free. */
  const read = (key: string) => drafts.get(key) ?? drafts.get(otherKey(key))
  /** The stored drafts of a key: its own, and the one that waits beside it. */
  const kept = (key: string) =>
    [
      [key, read(key)],
      [otherKey(key), drafts.has(key) ? drafts.get(otherKey(key)) : undefined],
    ] as const
  const save = (key: string) => {
    for (const [at, draft] of kept(key)) bulk.saveDraft(owner, at, toStored(draft))
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
    const isContinued = ready.get()
    ready.set(false)
    const [own, typedBefore, leftBefore] = await Promise.all([
      stored(userId),
      userId === visitor ? [] : stored(visitor),
      left(userId).catch(() => []), // stays for the next page
    ])
    if (owner !== userId) return
    if (leftBefore.length > 0) leftText.write(undefined)
    const typedHere = [...drafts].filter(([key]) => changedKeys.has(key))
    // those of the visitor that this page had read are what it went on with
    const typedDrafts = [...typedBefore.filter(([key]) => !(isContinued && changedKeys.has(key))), ...typedHere]
    drafts = new Map(own)
    for (const [key, draft] of leftBefore) put(key, draft ?? undefined)
    for (const [key, draft] of typedDrafts) putBeside(key, draft)
    for (const [key] of typedBefore) bulk.saveDraft(visitor, key, undefined)
    ready.set(true)
    for (const [key] of [...leftBefore, ...typedDrafts]) save(key)
  }
  const change = (key: string, draft: Draft | undefined, isSent = false) => {
    const was = markOf(drafts.get(key))
    const now = markOf(draft)
    put(key, now === '' ? undefined : draft)
    if (now === was) return
    const other = markOf(drafts.get(otherKey(key)))
    // the same text once
    if (other === was || other === now) drafts.delete(otherKey(key))
    // a field that opens shows the one of another tab
    if (was === '' && now === other) return
    // an empty composer that shows before the stored drafts were read must not empty them
    if (ready.get() || now !== '') changedKeys.add(key)
    if (!ready.get()) return
    save(key)
    // older than this: the tab that left it stored it since
    leftText.write(undefined)
    tabs.tell({
      type: 'draft.heard',
      owner,
      key,
      draft: toStored(drafts.get(key)),
      sent: isSent ? was : undefined,
    })
  }
  const hear = ({key, draft, sent}: DraftHeard) => {
    const own = drafts.get(key)
    // of two that a page opened with, the news may be of either
    const isFree = !changedKeys.has(key) && !drafts.has(otherKey(key))
    const isFollowed = own !== undefined && (isFree || markOf(own) === sent)
    if (isFollowed || own === undefined) changedKeys.delete(key)
    const at = isFollowed ? key : otherKey(key)
    put(at, !isFollowed && markOf(draft) === markOf(own) ? undefined : draft)
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
      const entries = [...changedKeys].flatMap(kept).map(([key, draft]) => [key, draft ?? null] as const)
      const own = JSON.stringify({owner, drafts: Object.fromEntries(entries)})
      // another tab may just have left its own
      leftText.write([leftText.read(), own].filter(Boolean).join('\n'))
    },
    subscribe: ready.subscribe,
  }
}
