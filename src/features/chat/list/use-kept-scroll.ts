import {useLayoutEffect, type RefObject} from 'react'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'

/** In pixels from the top. */
const offsets = new WeakMap<ConversationListActor, number>()

/** A list that comes back is scrolled to where it was when it went. */
export function useKeptScroll(scroller: RefObject<HTMLElement | null>, list: ConversationListActor): void {
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    element.scrollTop = offsets.get(list) ?? 0
    const note = () => offsets.set(list, element.scrollTop)
    element.addEventListener('scroll', note, {passive: true})
    return () => element.removeEventListener('scroll', note)
  }, [scroller, list])
}
