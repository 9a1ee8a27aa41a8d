import {useSelector} from '@xstate/react'
import {useEffect, useState} from 'react'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {useChat} from './chat.context.tsx'

/** Changes the messages of a conversation; undefined while its server has none of it, or keeps no versions. */
export function useMessageChanges(actor: ConversationActor, group: ModelGroup): MessageChangesActor | undefined {
  const {actors, openChanges, navigation} = useChat()
  const list = actors?.conversations
  const [changes, setChanges] = useState<MessageChangesActor>()
  const conversation = useSelector(actor, ({context: {id, capabilities}}) =>
    capabilities.includes('versions') ? id : undefined,
  )
  useEffect(() => {
    if (list === undefined || conversation === undefined) return
    let isCurrent = true
    const onBranch = (id: string) => navigation.go({group, conversation: id})
    openChanges({list, conversation, onBranch}).then(
      (opened) => isCurrent && setChanges(opened),
      () => undefined, // without them the thread can be read
    )
    return () => {
      isCurrent = false
    }
  }, [list, conversation, group, navigation, openChanges])
  return conversation === undefined ? undefined : changes
}
