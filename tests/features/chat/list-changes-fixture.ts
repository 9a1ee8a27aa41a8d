import {createActor, fromPromise} from 'xstate'
import type {ConversationMarks} from '#domain/conversation.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import type {ChangesInput} from '#machines/conversation-changes/changing.machine.ts'
import type {ConversationChangesActor} from '#machines/conversation-changes/conversation-changes.machine.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {nobody} from '../../machines/nobody.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'

export type Call = {type: string; conversation: string; title?: string} & ConversationMarks
/** The calls of each list of these tests. */
export const callsOf = new WeakMap<ConversationListActor, Call[]>()

/** Changes titles and marks of a list of these tests; its calls are those of the list. */
export function createListChanges(): ChatPorts['openListChanges'] {
  const opened = new WeakMap<ConversationListActor, ConversationChangesActor>()
  return (list, charts) => {
    const present = opened.get(list)
    if (present !== undefined) return present
    const changeConversations = fromPromise<void, ChangesInput>(async ({input: {changes}}) => {
      for (const {key, title, ...marks} of changes)
        callsOf
          .get(list)
          ?.push(
            title === undefined
              ? {type: 'mark', conversation: key, ...marks}
              : {type: 'rename', conversation: key, title},
          )
    })
    const logic = charts.changes.provide({
      actors: {changing: charts.changing.provide({actors: {changeConversations}})},
    })
    const actor = createActor(logic, {input: {list, parentRef: nobody}}).start()
    stopAfterTest(actor)
    opened.set(list, actor)
    return actor
  }
}
