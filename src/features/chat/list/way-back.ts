import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'

/**
 * Calls `onUndone` when the deletion of a conversation is taken back; never when it fails, or can be taken back no more.
 */
export function whenUndone(conversations: ConversationListActor, key: string, onUndone: () => void): void {
  const offer = conversations.subscribe((snapshot) => {
    const {removing, undoable} = snapshot.context
    if (undoable.includes(key)) return
    offer.unsubscribe()
    if (!removing.includes(key) && selectItem(snapshot, key) !== undefined) onUndone()
  })
}
