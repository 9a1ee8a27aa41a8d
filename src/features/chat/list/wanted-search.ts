import {createValueStore} from '#browser/value-store.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'

/** Words that something else on the page searches for, until the list of these conversations takes them. */
export const wantedSearch = createValueStore<{conversations: ConversationListActor; query: string} | undefined>(
  undefined,
)
