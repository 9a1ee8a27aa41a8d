import {useActorRef} from '@xstate/react'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {deletionWatchMachine, type DeletionWatchSnapshot} from '#machines/deletion-watch/deletion-watch.machine.ts'
import {useChat} from './chat.context.tsx'

/**
 * Beside a dialog or editor: says by a notice that another tab or device deletes what it is about. It closes with its
 * conversations, and what was typed there is lost. `conversations`: one, or several of which all are deleted, by key or
 * the server's id.
 */
export function DeletedElsewhere({conversations}: {conversations: string | readonly string[]}) {
  const {actors} = useChat()
  const list = actors?.conversations
  const names = typeof conversations === 'string' ? [conversations] : conversations
  return list && <Watch key={[list.sessionId, ...names].join(' ')} list={list} names={names} />
}

function Watch({list, names}: {list: ConversationListActor; names: readonly string[]}) {
  const {notify} = useChat()
  useActorRef(deletionWatchMachine, {input: {list, names}}, (snapshot: DeletionWatchSnapshot) => {
    if (snapshot.matches('deleted'))
      notify(names.length === 1 ? 'chat.deletedElsewhere' : 'chat.severalDeletedElsewhere')
  })
  return null
}
