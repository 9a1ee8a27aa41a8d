import {fromPromise} from 'xstate'
import type {ChatApi} from '#api/chat.ts'
import type {Tabs} from '#browser/tabs.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import type {ChangesInput} from '#machines/conversation-changes/changing.machine.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {SessionActor} from '#machines/session/session.machine.ts'
import {createOnce} from '../logic/app-actors.ts'
import {findIn} from '../logic/find-conversation.ts'
import {openPart} from '../logic/open-part.ts'

type ListChangesDeps = {chat: Pick<ChatApi, 'changeConversations' | 'retrieve'>; tabs: Pick<Tabs, 'tell'>}

/** Creates the port that changes titles and marks of a list: a part of the session, which tells the other tabs. */
export function createListChangesPort({chat, tabs}: ListChangesDeps): ChatPorts['openListChanges'] {
  const once = createOnce()
  return (list, charts) => {
    const session = findActor<SessionActor>(list.system, 'session')
    if (session === undefined) return undefined
    const part = openPart(list.system, 'conversationChanges', () => ({
      machine: charts.changes.provide({
        actors: {
          finding: findingMachine.provide(findIn(chat)),
          changing: charts.changing.provide({
            actors: {
              changeConversations: fromPromise<void, ChangesInput>(({input: {changes, previous}, signal}) =>
                chat.changeConversations(changes, signal, previous),
              ),
            },
          }),
        },
      }),
      input: {list, parentRef: session},
    }))
    once(part, (changes) => changes.on('conversations.changed', (fact) => tabs.tell(fact)))
    return part
  }
}
