import {waitFor} from 'xstate'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectAnswering} from '#machines/conversation-list/conversation-list.selectors.ts'

/** Resolves once no answer of the list is being written: at once without a list, and when the list ends. */
export async function untilAnswered(list: ConversationListActor | undefined): Promise<void> {
  if (list === undefined) return
  const silence = waitFor(list, (snapshot) => selectAnswering(snapshot).length === 0)
  await silence.catch(() => undefined)
}
