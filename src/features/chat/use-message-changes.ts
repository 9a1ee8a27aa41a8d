import {useSelector} from '@xstate/react'
import {useMemo} from 'react'
import {catchError, defer, EMPTY, Observable, of, retry, switchMap} from 'rxjs'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {supervision} from '#machines/lib/supervision.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {useChat, type ChangesTarget, type ChatPorts} from './chat.context.tsx'
import {useLatest} from './use-latest.ts'

type OnBranch = (conversation: string, group: ModelGroup | undefined) => void

/** Keeps the actor open while it is followed, and tells of new branches. The stream fails when the actor breaks. */
const whileFollowed = (changes: MessageChangesActor, onBranch: OnBranch) =>
  new Observable<MessageChangesActor>((subscriber) => {
    changes.send({type: 'view.opened'})
    const branches = changes.on('change.settled', ({branch, group}) => {
      if (branch !== undefined) onBranch(branch, group)
    })
    subscriber.next(changes)
    const breaks = changes.subscribe({error: (error: unknown) => subscriber.error(error)})
    return () => {
      branches.unsubscribe()
      breaks.unsubscribe()
      if (changes.getSnapshot().status === 'active') changes.send({type: 'view.closed'})
    }
  })

/** The actor that changes this conversation, and its successor when it breaks; undefined once it broke too often. */
const changesIn = (target: ChangesTarget, open: ChatPorts['openChanges'], onBranch: OnBranch) =>
  // without them the thread can be read
  defer(() => open(target).catch(() => undefined)).pipe(
    switchMap((changes) => (changes === undefined ? of(undefined) : whileFollowed(changes, onBranch))),
    retry(supervision.restarts),
    catchError(() => of(undefined)),
  )

/** Changes the messages of a conversation; undefined while its server has none of it, or keeps no versions. */
export function useMessageChanges(actor: ConversationActor, group: ModelGroup): MessageChangesActor | undefined {
  const {actors, openChanges, navigation} = useChat()
  const list = actors?.conversations
  const conversation = useSelector(actor, ({context: {id, capabilities}}) =>
    capabilities.includes('versions') ? id : undefined,
  )
  const changes$ = useMemo(() => {
    if (list === undefined || conversation === undefined) return EMPTY
    const onBranch: OnBranch = (id, other = group) => navigation.go({group: other, conversation: id})
    return changesIn({list, conversation}, openChanges, onBranch)
  }, [list, conversation, group, navigation, openChanges])
  return useLatest(changes$, undefined)
}
