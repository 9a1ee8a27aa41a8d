import {useSelector} from '@xstate/react'
import {useEffect, useState} from 'react'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {supervision} from '#machines/lib/supervision.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {useChat} from './chat.context.tsx'

type View = {onBranch: (conversation: string, group: ModelGroup | undefined) => void; onBroken: () => void}

/** The actor stays while a view uses it. Returns what ends the use. */
function keepOpen(changes: MessageChangesActor, {onBranch, onBroken}: View) {
  changes.send({type: 'view.opened'})
  const branches = changes.on('change.settled', ({branch, group}) => {
    if (branch !== undefined) onBranch(branch, group)
  })
  const breaks = changes.subscribe({error: onBroken})
  return () => {
    branches.unsubscribe()
    breaks.unsubscribe()
    if (changes.getSnapshot().status === 'active') changes.send({type: 'view.closed'})
  }
}

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
    let close = () => {}
    let starts = 0
    const onBranch: View['onBranch'] = (id, other = group) => navigation.go({group: other, conversation: id})
    const open = () => {
      starts += 1
      openChanges({list, conversation}).then(
        (newChanges) => {
          if (!isCurrent) return
          setChanges(newChanges)
          if (newChanges !== undefined) close = keepOpen(newChanges, {onBranch, onBroken})
        },
        () => undefined, // without them the thread can be read
      )
    }
    const onBroken = () => (starts <= supervision.restarts ? open() : setChanges(undefined))
    open()
    return () => {
      isCurrent = false
      close()
    }
  }, [list, conversation, group, navigation, openChanges])
  return conversation === undefined ? undefined : changes
}
