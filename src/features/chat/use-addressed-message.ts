import {useSelector} from '@xstate/react'
import {useEffect, useLayoutEffect, useRef, useSyncExternalStore, type RefObject} from 'react'
import {indexOfAnchor} from '#domain/message-anchor.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {searchedWords} from './searched-words.ts'
import type {ThreadHandle} from './thread-view.tsx'

/**
 * Leads to the message that the address names, once for each address and for each hit of a search that is followed: at
 * once, or when the conversation gets it. True while the conversation does not have it.
 */
export function useAddressedMessage(
  actor: ConversationActor,
  anchor: string | undefined,
  view: RefObject<ThreadHandle | null>,
): boolean {
  const index = useSelector(actor, ({context}) => (anchor ? indexOfAnchor(context.messages, anchor) : -1))
  const lastShown = useRef<string>(undefined)
  const words = useSyncExternalStore(searchedWords.subscribe, searchedWords.get)
  const {key, id} = actor.getSnapshot().context
  const hit = words?.anchor === anchor && [key, id].includes(words?.conversation) ? words : undefined
  useLayoutEffect(() => {
    if (index === -1 || (lastShown.current === anchor && hit === undefined)) return
    lastShown.current = anchor
    view.current?.show(index, hit?.query)
    if (hit !== undefined) searchedWords.set(undefined)
  }, [anchor, index, view, hit])
  // another address: a message that never came is not marked at a later visit
  useEffect(
    () => () => {
      if (hit !== undefined && searchedWords.get() === hit) searchedWords.set(undefined)
    },
    [hit],
  )
  return Boolean(anchor) && index === -1
}
