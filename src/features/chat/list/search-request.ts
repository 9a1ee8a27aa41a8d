import {createValueStore} from '#browser/value-store.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'

/**
 * A request of another part of the page for the search, until the list of these conversations takes it. `query`: the
 * words to search for; without them those in the field stay.
 */
export const wantedSearch = createValueStore<{conversations: ConversationListActor; query?: string} | undefined>(
  undefined,
)
