import {panelVisible} from '#browser/remembered-value.ts'
import {offered} from '#browser/commands.ts'
import {wantedInList, type ListRequest} from '#features/chat/list/list-request.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {wide} from '#ui/use-media-query.ts'

type ListTarget = {
  conversations: ConversationListActor
  /** Goes to a page with the list; resolves when it is there. */
  toChat: () => Promise<unknown>
}

/** Hands a request to the list, whose panel or drawer is opened for it. */
async function showList(request: ListRequest, toChat: ListTarget['toChat']): Promise<void> {
  // a page that opens takes the focus
  await toChat()
  wantedInList.set(request)
  // beside the page it may still be loading, which is no reason to hide it
  const isBeside = matchMedia(wide).matches && panelVisible.get()
  if (wantedInList.get() !== undefined && !isBeside) offered('togglePanel')?.()
}

/** Puts the focus into the search of the list. `query`: without it the words in the field stay. */
export const showSearch = ({toChat, ...target}: ListTarget & {query?: string}): Promise<void> =>
  showList({kind: 'search', ...target}, toChat)

/** Lists the archived conversations, with the focus on the first of them. */
export const showArchive = ({toChat, conversations}: ListTarget): Promise<void> =>
  showList({kind: 'archive', conversations}, toChat)
