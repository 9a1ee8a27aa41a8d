import {useEffect} from 'react'
import {selectIsDeletedElsewhere, selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {useChat} from './chat.context.tsx'

/**
 * Says by a notice that what it is about is deleted in another tab or on another device while something that belongs to it is
 * open: that closes with its conversations, and what was typed there is lost. `conversation`: one, or several of which all are
 * deleted, by key or the server's id; `undefined` or none: nothing is open. A list that could not be read says of none that it
 * is deleted.
 */
export function useDeletedElsewhere(conversation: string | readonly string[] | undefined): void {
  const {actors, notify} = useChat()
  const list = actors?.conversations
  useEffect(() => {
    if (list === undefined || conversation === undefined) return undefined
    const names = typeof conversation === 'string' ? [conversation] : conversation
    const listedNames = new Set<string>()
    const look = () => {
      const snapshot = list.getSnapshot()
      for (const name of names) {
        if (!selectIsDeletedElsewhere(snapshot, name)) {
          if (selectItem(snapshot, name) !== undefined) listedNames.add(name)
        } else if (listedNames.delete(name) && listedNames.size === 0)
          notify(names.length === 1 ? 'chat.deletedElsewhere' : 'chat.severalDeletedElsewhere')
      }
    }
    look()
    const subscription = list.subscribe(look)
    return () => subscription.unsubscribe()
  }, [list, conversation, notify])
}
