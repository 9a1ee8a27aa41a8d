import {panelVisible} from '#browser/remembered-value.ts'
import {offered} from '#browser/commands.ts'
import {wantedSearch} from '#features/chat/list/search-request.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {wide} from '#ui/use-media-query.ts'

type WantedSearch = {
  conversations: ConversationListActor
  /** Without it the words in the field stay. */
  query?: string
  /** Goes to a page with the list; resolves when it is there. */
  toChat: () => Promise<unknown>
}

/** Puts the focus into the search of the list, whose panel or drawer is opened for it. */
export async function showSearch({toChat, ...wanted}: WantedSearch): Promise<void> {
  // a page that opens takes the focus
  await toChat()
  wantedSearch.set(wanted)
  // beside the page it may still be loading, which is no reason to hide it
  const isBeside = matchMedia(wide).matches && panelVisible.get()
  if (wantedSearch.get() !== undefined && !isBeside) offered('togglePanel')?.()
}
