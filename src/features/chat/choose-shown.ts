import {lastStored} from '#domain/versions.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'

const isVisiting = (actor: ConversationActor) => actor.getSnapshot().matches('visiting')

/**
 * Chooses the path that a thread shows, where it is only visited: what is done to it is meant for it (decision 172).
 * `onSettled` hears at once where it is chosen already, and `false` where the server did not choose it.
 */
export function chooseShown(
  changes: MessageChangesActor,
  actor: ConversationActor,
  onSettled: (isChosen: boolean) => void,
): void {
  const message = lastStored(selectMessages(actor.getSnapshot()))
  if (!isVisiting(actor) || message === undefined) return onSettled(true)
  // what is on its way may choose another path
  if (!changes.getSnapshot().matches('idle')) {
    const waiting = changes.subscribe((snapshot) => {
      if (!snapshot.matches('idle')) return
      waiting.unsubscribe()
      chooseShown(changes, actor, onSettled)
    })
    return
  }
  const change = {action: 'select', message} as const
  const listening = changes.on('change.settled', ({change: settled}) => {
    // the same is on its way once, also where another view asked for it
    if (settled.action !== change.action || settled.message !== message) return
    listening.unsubscribe()
    onSettled(!isVisiting(actor))
  })
  changes.send({type: 'change.request', change})
}
