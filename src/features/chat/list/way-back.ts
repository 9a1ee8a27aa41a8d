import {isSameData} from '#domain/same-data.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {NoticeAct, NoticesActor} from '#machines/notices/notices.machine.ts'

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

/** The same of its archiving, which can be taken back as long as a notice offers that. */
export function whenUnarchived({system}: ConversationListActor, key: string, onUndone: () => void): void {
  const notices = findActor<NoticesActor>(system, 'notices')
  const isBack = (act: NoticeAct | undefined) =>
    act?.event.changes?.some((change) => isSameData(change, {key, archived: false})) === true
  const undone = notices?.on('act.requested', ({act}) => {
    if (isBack(act)) onUndone()
  })
  const offer = notices?.subscribe(({context}) => {
    if (context.notices.some(({undo}) => isBack(undo))) return
    offer?.unsubscribe()
    undone?.unsubscribe()
  })
}
