import {usedCommands} from '#browser/remembered-value.ts'
import {createValueStore} from '#browser/value-store.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {PersistedState, StoredConversation} from '#domain/persisted-state.ts'
import {claimFor, isOwnedBy} from '#domain/state-owner.ts'
import type {AuthActor} from '#machines/auth/auth.machine.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {itemsNamed} from '#machines/conversation-list/conversation-list.rules.ts'
import {selectAnswering, selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectRecord} from '#machines/conversation/conversation.selectors.ts'
import type {PreferencesActor} from '#machines/preferences/preferences.machine.ts'
import {without} from '#machines/lib/keys.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'
import {fromRecord} from './stored-session.ts'

type Storage = Pick<RootDeps, 'state' | 'bulk'>
type Chat = NonNullable<PersistedState['chat']>

/** Runs `keep` with the parts an actor's context has now, and again whenever one of them is another reference. */
export function follow<Snapshot, Parts extends object>(
  actor: {getSnapshot: () => Snapshot; subscribe: (next: (snapshot: Snapshot) => void) => unknown},
  partsOf: (snapshot: Snapshot) => Parts,
  keep: (parts: Parts, before: Parts | undefined) => void,
) {
  let before: Parts | undefined
  const take = (snapshot: Snapshot) => {
    const parts = partsOf(snapshot)
    // as: its entries have the names of its fields
    const isSame =
      before !== undefined && Object.entries(parts).every(([name, part]) => before?.[name as keyof Parts] === part)
    if (isSame) return
    const last = before
    before = parts
    keep(parts, last)
  }
  take(actor.getSnapshot())
  actor.subscribe(take)
}

/**
 * Token and user. Restored values are not written back: another tab may have stored newer ones. Without a token there
 * is no user either; `owner` is the user of the lists (docs/decisions/0021).
 */
export function persistAuth({state}: Storage, auth: AuthActor) {
  follow(
    auth,
    ({context: {token, user}}) => ({token, user}),
    (parts, before) => {
      if (before === undefined) {
        // stored by a version without owners
        if (parts.user !== undefined && state.read().owner === undefined) state.save({owner: parts.user.id})
        return
      }
      // one that was exchanged or refreshed is stored already (auth.logic.ts)
      if (parts.token?.access !== state.read().token?.access) state.save({token: parts.token})
      const {token, user} = parts
      if (user !== before.user || token !== before.token) state.save({user: token === undefined ? undefined : user})
    },
  )
}

export function persistSite({state}: Storage, site: SiteActor) {
  follow(
    site,
    ({context}) => ({site: context.site}),
    (parts) => state.save(parts),
  )
}

export function persistPreferences({state}: Storage, preferences: PreferencesActor) {
  follow(
    preferences,
    ({context: {locale, theme, currency, rates}}) => ({locale, theme, currency, rates}),
    ({locale, theme, currency, rates}) => state.save({locale, dark: theme === 'dark', currency, exchange: rates}),
  )
}

/** A session opens: from now on all storage belongs to its user, and data of another user is deleted. */
export function claimState({state}: Storage, userId: string) {
  const {owner, user} = state.read()
  state.flush()
  // the user may have been written by that flush: the owner is the one from before
  const before = {...state.read(), owner: owner ?? user?.id}
  // they name conversations and tasks
  if (!isOwnedBy(before, userId)) usedCommands.set([])
  state.save(claimFor(before, userId))
  state.flush()
}

/** The `chat` slice is written whole: this keeps its parts, and the models that other tabs chose, together. */
export function createChatSlice({state}: Storage) {
  const slice = createValueStore<Chat>(state.read().chat ?? {})
  return {
    read: slice.get,
    write: (changes: Chat) => {
      const {models} = changes
      slice.set({...slice.get(), ...changes, models: {...slice.get().models, ...models}})
      state.save({chat: {...slice.get(), models: {...state.read().chat?.models, ...models}}})
      // the next write, of any tab, reads them
      if (models !== undefined) state.flush()
    },
    /** Restores the stored data for the session that opens. */
    open: () => slice.set(state.read().chat ?? {}),
    clear: () => slice.set({}),
    subscribe: slice.subscribe,
  }
}
export type ChatSlice = ReturnType<typeof createChatSlice>

export function persistProvisioning(chat: ChatSlice, provisioning: ProvisioningActor) {
  follow(
    provisioning,
    ({context: {lastService, baseline, application, credential}}) => ({
      service: lastService,
      applications: baseline,
      application,
      credential,
    }),
    (parts, before) => {
      if (before !== undefined) chat.write(parts)
    },
  )
}

/**
 * Writes all conversations into the bulk storage, the newest into the slice, and removes deleted ones: each record once,
 * however often the list changes around it. Only a list that was read shows what was deleted elsewhere; a failed reading
 * says nothing about that.
 */
export function persistConversations(
  {bulk, log}: Pick<RootDeps, 'bulk' | 'log'>,
  chat: ChatSlice,
  userId: string,
  conversations: ConversationListActor,
) {
  const isKept = (key: string) => {
    const snapshot = conversations.getSnapshot()
    return !snapshot.matches('success') || snapshot.context.items.some((item) => (item.id ?? item.key) === key)
  }
  follow(
    conversations,
    (snapshot) => ({isRead: snapshot.matches('success')}),
    ({isRead}) => {
      if (!isRead) return
      bulk.pruneConversations(userId, isKept).catch((error: unknown) => {
        log('Deleted conversations were not removed from this browser', {error: String(error)})
      })
    },
  )
  const forms = new WeakMap<ConversationRecord, StoredConversation[]>()
  let conversationForms: StoredConversation[] = []
  follow(
    conversations,
    ({context: {items, removed, removing, undoable, unread}}) => ({items, removed, removing, undoable, unread}),
    ({items, removed, removing, undoable, unread}, before) => {
      if (items !== before?.items)
        conversationForms = items.flatMap((item) => {
          const form = forms.get(item) ?? fromRecord(item)
          if (before !== undefined && !forms.has(item)) bulk.saveConversation(userId, item)
          forms.set(item, form)
          return form
        })
      if (before === undefined) return
      // only added to
      for (const key of removed.slice(before.removed.length)) {
        bulk.removeConversation(userId, key)
        bulk.saveDraft(userId, key, undefined)
      }
      const idsOf = (keys: readonly string[]) => {
        const namedItems = itemsNamed(
          {items},
          keys.map((key) => ({key})),
        )
        return keys.map((key) => namedItems.get(key)?.id ?? key)
      }
      chat.write({
        conversations: conversationForms,
        // a page that is opened meanwhile sends what it reads here, and would end the undo
        removing: idsOf(without(removing, ...undoable)),
        unread: idsOf(unread),
      })
    },
  )
}

/** The time to take a deletion back, and some more: by then the page that offers it has sent it, or is gone. */
const undoTime = 10_000

/**
 * Remembers deletions from their first moment: a page that is killed cannot write any more. Each write begins with what
 * is stored and is flushed with it, so that none brings back what another tab has taken back.
 *
 * A page that goes hears nothing of its calls any more: its deletions stay stored, due at once, for the next page to
 * send again. One that comes back from the history stores what has become of them.
 */
export function persistDeletions(
  {state, timers, page, clock}: Pick<RootDeps, 'state' | 'timers' | 'page'> & Pick<Services, 'clock'>,
  conversations: ConversationListActor,
) {
  const own = new Map<string, NonNullable<PersistedState['deletions']>[number]>()
  let isLeft = false
  const write = (endedKeys: readonly string[]) => {
    const ids = [...own.values()].map(({id}) => id)
    for (const key of endedKeys) own.delete(key)
    const others = state.read().deletions?.filter(({id}) => !ids.includes(id)) ?? []
    state.save({deletions: [...others, ...own.values()]})
    state.flush()
  }
  /** @returns whether there was something to write */
  const store = () => {
    const {context, status} = conversations.getSnapshot()
    const {removing, items, undoable} = context
    const newKeys = removing.filter((key) => !own.has(key))
    const endedKeys = without([...own.keys()], ...removing)
    if (isLeft || status !== 'active' || newKeys.length + endedKeys.length === 0) return false
    // with a new one the time to take back those before begins anew
    for (const key of newKeys.length === 0 ? [] : new Set([...newKeys, ...undoable])) {
      const id = items.find((item) => item.key === key)?.id ?? key
      const until = timers.now() + (undoable.includes(key) ? undoTime : 0)
      own.set(key, {id, until, ahead: Math.round(timers.now() - clock.now() * 1_000) || undefined})
    }
    write(endedKeys)
    return true
  }
  let later: ReturnType<typeof timers.setTimeout> | undefined
  follow(
    conversations,
    ({context: {removing}}) => ({removing}),
    ({removing}) => {
      const isBegun = removing.some((key) => !own.has(key))
      // a hundred deletions end in one moment: the first is written at once, the rest together
      if (later !== undefined && !isBegun) return
      if (!store() || isBegun) return
      later = timers.setTimeout(() => {
        later = undefined
        store()
      }, 0)
    },
  )
  const leave = () => {
    // what was taken back a moment ago is not deleted
    store()
    isLeft = true
    for (const deletion of own.values()) deletion.until = timers.now()
    if (own.size > 0) write([])
  }
  const returned = page.restored$.subscribe(() => {
    isLeft = false
    store()
  })
  returned.add(conversations.getSnapshot().context.environment.on('page.leaving', leave))
  conversations.subscribe({complete: () => returned.unsubscribe()})
}

/** The page is about to go: answers that still run are kept with the text they have. */
export function persistRunning({bulk}: Storage, userId: string, conversations: ConversationListActor) {
  const snapshot = conversations.getSnapshot()
  for (const key of selectAnswering(snapshot)) {
    const conversation = selectConversation(snapshot, key)
    if (conversation === undefined) continue
    const record: ConversationRecord = selectRecord(conversation.getSnapshot())
    bulk.saveConversation(userId, record)
  }
}
