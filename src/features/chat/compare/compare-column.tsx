import {useSelector} from '@xstate/react'
import {useMemo, type ComponentProps, type RefObject} from 'react'
import type {CompareActor} from '#machines/compare/compare.machine.ts'
import type {Column} from '#machines/compare/compare.types.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectFollowUps} from '#machines/conversation/conversation.selectors.ts'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {ChatProvider, useChat, type ChatActors} from '../chat.context.tsx'
import {useThreadRows} from '../conversation-thread.tsx'
import {FollowUpList} from '../follow-up-list.tsx'
import {KeptEdit} from '../kept-edit-note.tsx'
import {reasonOf} from '../model-note.ts'
import {ThreadView, type ThreadHandle} from '../thread-view.tsx'
import {useChatModels} from '../use-chat-models.ts'
import {useEditing} from '../use-editing.ts'
import {useMessageChanges} from '../use-message-changes.ts'
import {ColumnActions} from './column-actions.tsx'
import {ColumnState} from './column-state.tsx'
import {ReturnedEdit} from './returned-edit.tsx'
import {useColumnActor, useGroup} from './use-column-actor.ts'
import styles from './compare-column.module.css'

type CompareColumnProps = {
  actors: ChatActors
  compare: CompareActor
  column: Column
  /** Name of its model. */
  label: string
  /** Address of the comparison, for ways that lead back. */
  href: string
  /** Gets its thread. */
  view: RefObject<ThreadHandle | null> | undefined
  /** Its actions stand beside the tabs. */
  isLow: boolean
  focusField: () => void
  onStop: (name: string) => void
  /** Takes what was typed into a waiting question that went meanwhile. */
  onLost: (typed: string) => void
}

/** One model's conversation: its head with what can be done, and its thread. */
export function CompareColumn({actors, compare, column, label, isLow, onStop, ...common}: CompareColumnProps) {
  const text = useText()
  const actor = useColumnActor(actors, column)
  const {name, phase} = column
  return (
    <>
      <header className={styles.head}>
        <div className={styles.headText}>
          <h2 className={styles.name}>
            <bdi>{label}</bdi>
          </h2>
          <ColumnState column={column} />
        </div>
        {!isLow && <ColumnActions {...{actors, compare, column, label, onStop}} focusField={common.focusField} />}
      </header>
      <div className={styles.body}>
        {phase === 'gone' ? (
          <p className={styles.gone}>{text('chat.missing')}</p>
        ) : phase === 'unread' ? null : actor === undefined ? (
          <div className={styles.gone}>
            <Skeleton blockSize={120} />
          </div>
        ) : (
          <ColumnThread key={name} {...{...common, actors, actor, name}} />
        )}
      </div>
    </>
  )
}

type ColumnThreadProps = Pick<CompareColumnProps, 'actors' | 'href' | 'view' | 'focusField' | 'onLost'> & {
  actor: ConversationActor
  name: string
}

/** The thread as the chat shows it, without the panels over it: the field that finds words is that of all columns. */
function ColumnThread({actors, actor, name, href, view, focusField, onLost}: ColumnThreadProps) {
  const text = useText()
  const chat = useChat()
  const group = useGroup(actors, actor)
  const {served, offered, chosen} = useChatModels(actors, group, actor)
  const followUps = useSelector(actor, selectFollowUps)
  const {environment, key} = actor.getSnapshot().context
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('streaming'))
  const {kept, ...editing} = useEditing(actor)
  const own = useOwnChat(chat, name)
  const changes = useMessageChanges(actor, group)
  const rows = useThreadRows({
    actor,
    group,
    changes,
    models: offered,
    served,
    href,
    freshFrom: Infinity,
    ...editing,
    unusable: reasonOf(chosen?.disabled, text),
    focusField,
  })
  return (
    <ChatProvider chat={own}>
      <ReturnedEdit actor={actor} {...editing} />
      <KeptEdit kept={kept} onEditing={editing.onEditing} />
      <div className={styles.thread}>
        <ThreadView ref={view} rows={rows} busy={busy} announcement="" focusField={focusField} />
      </div>
      <div className={styles.followUps}>
        <FollowUpList conversation={key} followUps={followUps} environment={environment} onLost={onLost} />
      </div>
    </ChatProvider>
  )
}

type Chat = ReturnType<typeof useChat>

/** "What happened" tells of this conversation, not of the first on screen. */
function useOwnChat(chat: Chat, conversation: string): Chat {
  return useMemo(() => {
    const {WhatHappened} = chat
    const Own = (props: ComponentProps<Chat['WhatHappened']>) => <WhatHappened {...props} conversation={conversation} />
    return {...chat, WhatHappened: Own}
  }, [chat, conversation])
}
