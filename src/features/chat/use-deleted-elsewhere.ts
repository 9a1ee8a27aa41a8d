import {useEffect} from 'react'
import {selectIsDeletedElsewhere, selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {useChat} from './chat.context.tsx'

/**
 * Says by a notice that a conversation, by key or the server's id, is deleted in another tab or on another device while something
 * that belongs to it is open: that closes with its conversation, and what was typed there is lost. `undefined`: nothing is open.
 * A list that could not be read says of none that it is deleted.
 */
export function useDeletedElsewhere(conversation: string | undefined): void {
  const {actors, notify} = useChat()
  const list = actors?.conversations
  useEffect(() => {
    if (list === undefined || conversation === undefined) return undefined
    let isListed = false
    const look = () => {
      const snapshot = list.getSnapshot()
      if (!selectIsDeletedElsewhere(snapshot, conversation)) isListed ||= selectItem(snapshot, conversation) !== undefined
      else if (isListed) {
        isListed = false
        notify('chat.deletedElsewhere')
      }
    }
    look()
    const subscription = list.subscribe(look)
    return () => subscription.unsubscribe()
  }, [list, conversation, notify])
}
