import {filter, fromEvent, map, merge, NEVER, type Observable} from 'rxjs'
import {z} from '#contract/schema.ts'

const tabFact = z.union([
  /** The person signed out. `epoch` counts sign-outs of this browser (security R16). */
  z.object({type: z.literal('session.ended'), epoch: z.number()}),
  /** A token was stored: signed in, or refreshed. Tokens do not travel; the other tab reads its storage. */
  z.object({type: z.literal('token.stored'), epoch: z.number()}),
  /** The server has another message of a conversation; ids are the server's. */
  z.object({type: z.literal('conversation.heard'), id: z.string(), last: z.string(), isSettled: z.boolean()}),
])
/** What one tab tells the others. */
export type TabFact = z.infer<typeof tabFact>

export type Tabs = {
  /** To all other tabs of this origin. */
  tell(fact: TabFact): void
  /** From other tabs. Cold. Anything that is no fact does not exist. */
  facts$: Observable<TabFact>
  close(): void
}

export type TabsOptions = {
  view: Window
  /** Missing in some embedded browsers: then facts travel as storage events. */
  createChannel: ((name: string) => BroadcastChannel) | undefined
  storage: Storage | undefined
  createId: () => string
}

const name = 'atrium.tabs'

const parseStored = (text: string | null): unknown => {
  try {
    return text === null ? undefined : (JSON.parse(text) as {fact?: unknown}).fact
  } catch {
    return undefined
  }
}

const isFact = (value: unknown): value is TabFact => tabFact.safeParse(value).success

/** Word between the tabs of one browser. A second word about the same thing is harmless: facts carry the epoch. */
export const createTabs = ({view, createChannel, storage, createId}: TabsOptions): Tabs => {
  const channel = createChannel?.(name)
  const tellByStorage = (fact: TabFact) => {
    try {
      // the id makes equal facts different: only a change is an event
      storage?.setItem(name, JSON.stringify({fact, id: createId()}))
    } catch {
      // Storage is full or forbidden: without it and without a channel there is no way to the other tabs.
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
