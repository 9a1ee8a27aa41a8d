import {filter, fromEvent, map, merge, NEVER, type Observable} from 'rxjs'
import {z} from '#contract/schema.ts'
import {storedDraft} from '#domain/draft.ts'
import {storedMessages} from '#domain/persisted-state.ts'
import {storedAsk} from '#domain/stored-follow-up.ts'

const tabFact = z.union([
  /**
   * The user signed out; or a token was stored after a sign-in or refresh, which the other tab reads in its storage.
   * `epoch` counts sign-outs of this browser (security R16).
   */
  z.object({type: z.enum(['session.ended', 'token.stored']), epoch: z.number()}),
  /** Titles or marks of conversations; keys are the server's ids. */
  z.object({
    type: z.literal('conversations.changed'),
    changes: z.array(
      z.object({
        key: z.string(),
        title: z.optional(z.string()),
        pinned: z.optional(z.boolean()),
        archived: z.optional(z.boolean()),
        labels: z.optional(z.array(z.string())),
      }),
    ),
  }),
  /** Conversations that the server has no more, or that a tab which closes deletes; keys are its ids. */
  z.object({type: z.enum(['conversations.removed', 'removals.left']), keys: z.array(z.string())}),
  /** There may be conversations that no tab has read yet. */
  z.object({type: z.literal('conversations.refresh')}),
  /** A tab has opened, and asks for the questions that wait: their last changes may not be stored. */
  z.object({type: z.literal('followUps.asked')}),
  /** The server has a new message in a conversation, or, without `last`, changed or deleted others; ids are its own. */
  z.object({
    type: z.literal('conversation.heard'),
    id: z.string(),
    last: z.optional(z.string()),
    isSettled: z.boolean(),
  }),
  /**
   * A message is not deleted: the tab that had deleted it took that back. Or a tab that reads of its deletion asks
   * whether that was taken back meanwhile.
   */
  z.object({type: z.enum(['message.restored', 'removal.asked']), conversation: z.string(), message: z.string()}),
  /**
   * The questions that wait in a conversation; named by the server's id, or by its key. `was`: before the change;
   * `isHeld`: the turn before them failed or was stopped.
   */
  z.object({
    type: z.literal('followUps.heard'),
    key: z.string(),
    items: z.array(storedAsk),
    was: z.optional(z.array(storedAsk)),
    isHeld: z.optional(z.boolean()),
  }),
  /** The versions of a conversation that no server has; named by the server's id. `was`: before the change. */
  z.object({
    type: z.literal('unsent.heard'),
    id: z.string(),
    was: z.array(storedMessages),
    versions: z.array(storedMessages),
  }),
  /** A draft was changed, emptied, or sent: `sent` is its mark then, `was` that of the text before (`drafts.ts`). */
  z.object({
    type: z.literal('draft.heard'),
    owner: z.string(),
    key: z.string(),
    draft: z.optional(storedDraft),
    sent: z.optional(z.string()),
    was: z.optional(z.string()),
  }),
  /** Conversations whose answer nobody has seen, or that were seen now; keys are the server's ids. */
  z.object({type: z.literal('unread.heard'), keys: z.array(z.string()), isUnread: z.boolean()}),
])
/** A fact that one tab sends to the others. */
export type TabFact = z.infer<typeof tabFact>
/** A message between tabs about the deletion of one message; ids are the server's. */
export type RemovalFact = Extract<TabFact, {message: string}>

export type Tabs = {
  /** Posts to all other tabs of this origin. */
  tell(fact: TabFact): void
  /** Facts of other tabs. Cold. Invalid messages are dropped. */
  facts$: Observable<TabFact>
  close(): void
}

export type TabsOptions = {
  view: Window
  /** Missing in some embedded browsers; then facts are sent as storage events. */
  createChannel: ((name: string) => BroadcastChannel) | undefined
  storage: Storage | undefined
  createId: () => string
}

const name = 'atrium.tabs'

const parseStored = (text: string | null): unknown => {
  try {
    // as: the caller looks at what it is
    return text === null ? undefined : (JSON.parse(text) as {fact?: unknown}).fact
  } catch {
    return undefined
  }
}

const isFact = (value: unknown): value is TabFact => tabFact.safeParse(value).success

/** Messages between the tabs of one browser. Receiving a fact twice is harmless: facts carry the epoch. */
export const createTabs = ({view, createChannel, storage, createId}: TabsOptions): Tabs => {
  const channel = createChannel?.(name)
  const tellByStorage = (fact: TabFact) => {
    try {
      // the id makes equal facts different: only a changed value fires an event
      storage?.setItem(name, JSON.stringify({fact, id: createId()}))
    } catch {
      // storage is full or forbidden: without a channel too, other tabs cannot be reached
    }
  }
  return {
    tell(fact) {
      if (channel === undefined) tellByStorage(fact)
      else channel.postMessage(fact)
    },
    facts$: merge(
      channel === undefined ? NEVER : fromEvent<MessageEvent<unknown>>(channel, 'message').pipe(map(({data}) => data)),
      fromEvent<StorageEvent>(view, 'storage').pipe(
        filter(({key}) => key === name),
        map(({newValue}) => parseStored(newValue)),
      ),
    ).pipe(filter(isFact)),
    close: () => channel?.close(),
  }
}
