import {useEffect, useEffectEvent} from 'react'
import {createValueStore} from '#browser/value-store.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'

type ListRequest = {
  kind: 'search' | 'archive'
  conversations: ConversationListActor
  /** The words to search for; without them those in the field stay. */
  query?: string
}

/** A request of another part of the page for the search or the archive, until the list of these conversations takes it. */
export const wantedInList = createValueStore<ListRequest | undefined>(undefined)

/** Takes the requests of a kind for this list, also one that was there before it. */
export function useListRequest(
  conversations: ConversationListActor,
  kind: ListRequest['kind'],
  onRequest: (query: string | undefined) => void,
): void {
  const take = useEffectEvent(() => {
    const request = wantedInList.get()
    if (request?.conversations !== conversations || request.kind !== kind) return
    wantedInList.set(undefined)
    onRequest(request.query)
  })
  useEffect(() => {
    take()
    return wantedInList.subscribe(take)
  }, [])
}
