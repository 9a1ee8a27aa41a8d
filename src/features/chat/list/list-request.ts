import {createValueStore} from '#browser/value-store.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'

export type ListRequest = {
  kind: 'search' | 'archive'
  conversations: ConversationListActor
  /** The words to search for; without them those in the field stay. */
  query?: string
}

/** A request of another part of the page for the search or the archive, until the list of these conversations takes it. */
export const wantedInList = createValueStore<ListRequest | undefined>(undefined)
