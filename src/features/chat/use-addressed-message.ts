import {useSelector} from '@xstate/react'
import {useLayoutEffect, useRef, type RefObject} from 'react'
import {indexOfAnchor} from '#domain/message-anchor.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import type {ThreadHandle} from './thread-view.tsx'

/**
 * Leads to the message that the address names, once for each address: at once, or when the conversation gets it. True
 * while the conversation does not have it.
 */
export function useAddressedMessage(
  actor: ConversationActor,
  anchor: string | undefined,
  view: RefObject<ThreadHandle | null>,
): boolean {
  const index = useSelector(actor, ({context}) => (anchor ? indexOfAnchor(context.messages, anchor) : -1))
  const shown = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (index === -1 || shown.current === anchor) return
    shown.current = anchor
    view.current?.show(index)
  }, [anchor, index, view])
  return Boolean(anchor) && index === -1
}
