import type {LeftDrafts} from '#browser/bulk-records.ts'
import {type BulkStorage} from '#browser/bulk-storage.ts'
import type {TabFact, Tabs} from '#browser/tabs.ts'
import {createValueStore} from '#browser/value-store.ts'
import {type StoredText} from '#browser/stored-text.ts'
import type {StoredDraft} from '#domain/draft.ts'
import {loadPart} from '#ui/load-part.ts'
import type {Draft, DraftStore, HeardDraft} from '#features/chat/draft.types.ts'
import {createDraftTexts, markOf, without} from './draft-texts.ts'

/** Typed before anybody signed in; the user who signs in gets it. */
const visitor = 'visitor'

const toStored = (draft: Draft | undefined): StoredDraft | undefined =>
  draft && {text: draft.text, references: [...draft.references]}

/** Milliseconds; as long as the session waits for its own records. A database may never answer. */
const readDeadline = 3_000

/** `overdue`: the app goes on from memory; the stored drafts wait beside what is typed once they come. */
type Phase = 'reading' | 'overdue' | 'read'

const nothingLeft: LeftDrafts = {known: [], typed: []}

type DraftHeard = Extract<TabFact, {type: 'draft.heard'}>

export type Drafts = DraftStore & {
  /** The owner of these drafts; `undefined` before the user is known. Drafts of another user are dropped here. */
  follow: (userId: string | undefined) => void
  /** The stored drafts have been read, or are overdue. */
  isReady: () => boolean
  /** The page is about to close: its changes are stored synchronously, until the next page reads them. */
  leave: () => void
}

/** The drafts that the pages before this one changed as they went. */
async function readLeft(leftText: StoredText, userId: string): Promise<LeftDrafts> {
  const text = leftText.read()
  return text === undefined
    ? nothingLeft
    : (await loadPart(() => import('#browser/bulk-records.ts'))).toLeftDrafts(userId, text)
}

type Texts = ReturnType<typeof createDraftTexts>

/**
 * The text of another tab is followed where nothing was changed here, or where what stands here was sent there. Of
 * several that the page opened with, the news may be of any: then only the one it names.
 */
function followsNews(texts: Texts, {key, sent, was}: DraftHeard, isChangedHere: boolean): boolean {
  const own = texts.own(key)
  if (own === undefined) return false
  const isFree = !isChangedHere && (texts.all(key).length === 1 || markOf(own) === was)
  return isFree || markOf(own) === sent
}

/** The drafts for the next page, by key. Those typed before the stored ones were read are beside them. */
function leavingText(owner: string, keys: ReadonlySet<string>, texts: Texts, isRead: boolean): string {
  const entries = [...keys]
    .flatMap((key) => (isRead ? texts.records(key) : [[key, texts.own(key)] as const]))
    .map(([key, draft]) => [key, draft ?? null] as const)
  return JSON.stringify({owner, drafts: Object.fromEntries(entries), ...(!isRead && {typed: true})})
}

/**
 * Drafts are texts that were typed and not sent (expectations §3): read at once from memory, stored while typing, kept
 * through a login. A draft that another tab changes or sends replaces the draft here, unless the user has changed it in
 * this tab and it is not the one that was sent. If several tabs have typed, the text of each is kept, up to four: the
 * others wait until the field is free, the newest first (docs/decisions/0170).
 *
 * A conversation that began in this tab has a key that other devices and tabs do not know: from the moment in which the
 * server names it its drafts are under that name (docs/decisions/0181).
 * @param idOf the server's name of a conversation, by its key
 */
export function createDrafts(
  bulk: Pick<BulkStorage, 'drafts' | 'saveDraft'>,
  leftText: StoredText,
  tabs: Pick<Tabs, 'tell' | 'facts$'>,
  idOf: (key: string) => string | undefined = () => undefined,
): Drafts {
  const phase = createValueStore<Phase>('reading')
  const isRead = () => phase.get() === 'read'
  const latestHeard = createValueStore<HeardDraft | undefined>(undefined)
  let owner = visitor
  let texts = createDraftTexts()
  /** Keys of what this page changed. */
  let changedKeys = new Set<string>()
  /** Keys of the fields that are empty, which may be open. */
  let emptyKeys = new Set<string>()
  /** The server's names of conversations whose drafts are under these, by their keys. */
  const names = new Map<string, string>()

  const save = (key: string) => {
    for (const [at, draft] of texts.records(key)) bulk.saveDraft(owner, at, toStored(draft))
  }
  const stored = async (userId: string): Promise<[string, Draft][]> => Object.entries(await bulk.drafts(userId))
  const load = async (userId: string) => {
    const isContinued = isRead()
    const goOn = () => {
      if (owner === userId && !isRead()) phase.set('overdue')
    }
    phase.set('reading')
    setTimeout(goOn, readDeadline)
    const reads = await Promise.all([
      stored(userId),
      userId === visitor ? [] : stored(visitor),
      readLeft(leftText, userId).catch(() => nothingLeft), // stays for the next page
    ]).catch(goOn)
    if (reads === undefined || owner !== userId) return
    const [own, typedBefore, leftBefore] = reads
    if (leftBefore.known.length + leftBefore.typed.length > 0) leftText.write(leftBefore.rest)
    const before = texts
    const typedHere = texts.entries().filter(([key]) => changedKeys.has(key))
    // those of the visitor that this page had read are what it went on with
    const typedDrafts = [...typedBefore.filter(([key]) => !(isContinued && changedKeys.has(key))), ...leftBefore.typed]
    texts = createDraftTexts(own)
    for (const [key, draft] of leftBefore.known) texts.put(key, draft ?? undefined)
    for (const [key, draft] of typedDrafts) texts.putBeside(key, draft)
    for (const [key, id] of names) move(key, id, true)
    // last: their fields show them
    for (const [key, draft] of typedHere) {
      texts.putBeside(key, draft)
      save(key)
    }
    texts.setAside((key) => {
      const shownText = markOf(before.own(key))
      return (
        markOf(texts.own(key)) !== shownText && (phase.get() === 'overdue' || shownText !== '' || emptyKeys.has(key))
      )
    })
    for (const [key] of typedBefore) bulk.saveDraft(visitor, key, undefined)
    phase.set('read')
    for (const [key] of [...leftBefore.known, ...typedDrafts]) save(key)
  }
  /** The text in the field stays there, and the one that another tab wrote under the other name waits beside it. */
  const move = (key: string, id: string, isStored = isRead()) => {
    const own = texts.own(key)
    const all = texts.all(key)
    if (emptyKeys.delete(key)) {
      emptyKeys.add(id)
      texts.setAside((each) => each === id)
    }
    if (all.length === 0) return
    if (own !== undefined) texts.putBeside(id, own)
    texts.putOthers(id, [...texts.all(id), ...all])
    texts.put(key, undefined)
    texts.putOthers(key, [])
    if (changedKeys.delete(key)) changedKeys.add(id)
    if (!isStored) return
    for (const each of [key, id]) save(each)
    if (own !== undefined) tabs.tell({type: 'draft.heard', owner, key: id, draft: toStored(own), was: ''})
  }
  /** The key under which the draft of a key is. */
  const nameOf = (key: string) => {
    const id = idOf(key) ?? names.get(key) ?? key
    if (id !== key && names.get(key) !== id) {
      names.set(key, id)
      move(key, id)
    }
    return id
  }
  const put = (key: string, draft: Draft | undefined) => {
    texts.put(key, draft)
    if (draft === undefined) emptyKeys.add(key)
    else emptyKeys.delete(key)
  }
  const follow = (key: string, draft: Draft | undefined) => {
    put(key, draft)
    latestHeard.set({keys: [key, ...[...names.keys()].filter((each) => names.get(each) === key)], draft})
  }
  const change = (key: string, draft: Draft | undefined, isSent = false) => {
    const was = markOf(texts.own(key))
    const offer = markOf(texts.shown(key))
    const now = markOf(draft)
    put(key, now === '' ? undefined : draft)
    if (now === was) return
    texts.putOthers(key, without(was, texts.all(key)))
    // a field that opens shows the one of another tab
    if (was === '' && now === offer) return
    // an empty composer that shows before the stored drafts were read must not empty them
    if (isRead() || now !== '') changedKeys.add(key)
    if (!isRead()) return
    save(key)
    // older than this: the tab that left it stored it since
    leftText.write(undefined)
    tabs.tell({
      type: 'draft.heard',
      owner,
      key,
      draft: toStored(texts.own(key)),
      sent: isSent ? was : undefined,
      was,
    })
  }
  const hear = (fact: DraftHeard) => {
    const {key, draft, was} = fact
    // one that began with nothing there replaces none here
    const textsBefore = was === '' ? texts.all(key) : []
    const isFollowed = followsNews(texts, fact, changedKeys.has(key))
    if (isFollowed || texts.own(key) === undefined) changedKeys.delete(key)
    if (isFollowed) follow(key, draft)
    const news = isFollowed || draft === undefined ? [] : [draft]
    // a tab of an earlier build does not say which text it went on with
    texts.putOthers(key, [...news, ...textsBefore, ...(was === undefined ? [] : without(was, texts.all(key)))])
  }
  tabs.facts$.subscribe((fact) => {
    // earlier ones are in what is read
    if (fact.type === 'draft.heard' && fact.owner === owner && isRead()) hear(fact)
  })

  void load(visitor)
  return {
    // a draft of another tab shows in no field before one opens that is free
    read: (key) => texts.shown(nameOf(key)),
    write: (key, draft) => change(nameOf(key), draft),
    close: (key) => change(nameOf(key), undefined, true),
    look(key) {
      const name = nameOf(key)
      const waiting = texts.shown(name)
      // files come with a field that opens
      if (texts.own(name) !== undefined || waiting === undefined || waiting.references.length > 0) return
      texts.putOthers(name, texts.all(name).slice(1))
      changedKeys.delete(name)
      follow(name, waiting)
    },
    heard: latestHeard,
    follow: (userId) => {
      const next = userId ?? visitor
      if (next === owner) return
      if (owner !== visitor) {
        texts = createDraftTexts()
        changedKeys = new Set()
        emptyKeys = new Set()
        names.clear()
        leftText.write(undefined)
      }
      owner = next
      void load(next)
    },
    isReady: () => phase.get() !== 'reading',
    leave() {
      if (changedKeys.size === 0) return
      const own = leavingText(owner, changedKeys, texts, isRead())
      // another tab may just have left its own
      leftText.write([leftText.read(), own].filter(Boolean).join('\n'))
    },
    subscribe: phase.subscribe,
  }
}
