import {useEffect} from 'react'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {useChat} from './chat.context.tsx'

/**
 * Says by a notice that a conversation, by key or the server's id, is deleted in another tab or on another device while something
 * that belongs to it is open: that closes with its conversation, and what was typed there is lost. `undefined`: nothing is open.
 */
export function useDeletedElsewhere(conversation: string | undefined): void {
  const {actors, notify} = useChat()
  const list = actors?.conversations
  useEffect(() => {
    if (list === undefined || conversation === undefined) return undefined
    let isListed = selectItem(list.getSnapshot(), conversation) !== undefined
    const subscription = list.subscribe((snapshot) => {
      const wasListed = isListed
      isListed = selectItem(snapshot, conversation) !== undefined
      if (wasListed && !isListed) notify('chat.deletedElsewhere')
    })
    return () => subscription.unsubscribe()
  }, [list, conversation, notify])
}
