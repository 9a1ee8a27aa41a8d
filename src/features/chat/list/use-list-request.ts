import {useEffect, useEffectEvent} from 'react'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {wantedInList, type ListRequest} from './list-request.ts'

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
