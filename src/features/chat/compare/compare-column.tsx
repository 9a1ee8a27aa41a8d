import {useSelector} from '@xstate/react'
import {Suspense, useMemo, useState, type ComponentProps, type RefObject} from 'react'
import {isRetriable, isRunning, type CompareActor} from '#machines/compare/compare.machine.ts'
import type {Column} from '#machines/compare/compare.types.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectFollowUps, selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectApplication} from '#machines/provisioning/provisioning.selectors.ts'
import {buttonClass} from '#ui/button-class.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {RetryIcon, StopIcon} from '#ui/icons.tsx'
import {FlowIcon} from '#ui/message-icons.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {useHandedFocus} from '#ui/use-handed-focus.ts'
import {ChatProvider, useChat, type ChatActors} from '../chat.context.tsx'
import {useThreadRows} from '../conversation-thread.tsx'
import {FollowUpList} from '../follow-up-list.tsx'
import {KeptEdit} from '../kept-edit-note.tsx'
import {lastAnswer} from '../last-answer.ts'
import {groupOfModel} from '../model-catalogue.ts'
import {reasonOf} from '../model-note.ts'
import {LocationLink} from '../app-links.tsx'
import {ThreadView, type ThreadHandle} from '../thread-view.tsx'
import {useChatModels} from '../use-chat-models.ts'
import {useEditing} from '../use-editing.ts'
import {useMessageChanges} from '../use-message-changes.ts'
import {ColumnState} from './column-state.tsx'
import {ReturnedEdit} from './returned-edit.tsx'
import styles from './compare.module.css'

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
  focusField: () => void
  onStop: (name: string) => void
  /** Takes what was typed into a waiting question that went meanwhile. */
  onLost: (typed: string) => void
}

/** One model's conversation: its head with what can be done, and its thread. */
export function CompareColumn({actors, compare, column, label, onStop, ...common}: CompareColumnProps) {
  const text = useText()
  const {newKey, now} = useChat()
  const actor = useSelector(actors.conversations, (snapshot) => selectConversation(snapshot, column.name))
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
        {isRunning(column) && <ColumnStop {...{column, label, onStop}} focusField={common.focusField} />}
        {isRetriable(column) && (
          <IconButton
            size="sm"
            label={text('compare.said', {model: label, state: text('common.retry')})}
            icon={<RetryIcon size={14} />}
            onClick={() => compare.send({type: 'column.retry', name, key: newKey(), at: now()})}
          />
        )}
        {actor !== undefined && <AnswerActions actor={actor} actors={actors} column={column} label={label} />}
      </header>
      <div className={styles.body}>
        {phase === 'gone' ? (
          <p className={styles.gone}>{text('chat.missing')}</p>
        ) : actor === undefined ? (
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

type ColumnStopProps = Pick<CompareColumnProps, 'column' | 'label' | 'onStop' | 'focusField'>

function ColumnStop({column: {name, phase}, label, onStop, focusField}: ColumnStopProps) {
  const text = useText()
  const canStop = phase !== 'stopping'
  return (
    <IconButton
      ref={useHandedFocus(canStop, focusField)}
      size="sm"
      label={text('compare.said', {model: label, state: text('chat.stop')})}
      icon={<StopIcon size={14} />}
      disabled={!canStop}
      onClick={() => onStop(name)}
    />
  )
}

type AnswerActionsProps = {actor: ConversationActor; actors: ChatActors; column: Column; label: string}

function AnswerActions({actor, actors, column, label}: AnswerActionsProps) {
  const text = useText()
  const {WhatHappened} = useChat()
  /** Position of the answer whose history is open. */
  const [examined, setExamined] = useState<number>()
  const group = useGroup(actors, actor)
  const id = useSelector(actor, ({context}) => context.id)
  const hasAnswer = useSelector(actor, (snapshot) => lastAnswer(snapshot) !== '')
  // while an answer runs, the last one is that of the question before
  const canCopy = hasAnswer && !isRunning(column)
  return (
    <>
      {isRunning(column) && (
        <IconButton
          size="sm"
          label={text('compare.said', {model: label, state: text('chat.whatHappened')})}
          icon={<FlowIcon />}
          onClick={() => setExamined(selectMessages(actor.getSnapshot()).length)}
        />
      )}
      <Suspense>
        {examined !== undefined && (
          <WhatHappened index={examined} conversation={column.name} onClose={() => setExamined(undefined)} />
        )}
      </Suspense>
      {canCopy && (
        <CopyButton
          label={text('compare.said', {model: label, state: text('common.copy')})}
          value={() => lastAnswer(actor.getSnapshot())}
        />
      )}
      <LocationLink
        className={buttonClass('outline', 'sm')}
        location={{group, conversation: id ?? column.name}}
        aria-label={text('compare.said', {model: label, state: text('compare.continue')})}
      >
        {text('compare.continue')}
      </LocationLink>
    </>
  )
}

function useGroup(actors: ChatActors, actor: ConversationActor) {
  const servedModels = useSelector(actors.provisioning, ({context}) => context.service?.metadata?.models)
  return useSelector(actor, ({context}) => groupOfModel(context.model, servedModels ?? []))
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
  const {environment} = actor.getSnapshot().context
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('streaming'))
  const applicationId = useSelector(actors.provisioning, (snapshot) => selectApplication(snapshot)?.id)
  const {kept, ...editing} = useEditing(actor)
  const own = useOwnChat(chat, name)
  const changes = useMessageChanges(actor, group)
  const rows = useThreadRows({
    actor,
    group,
    changes,
    models: offered,
    served,
    addCreditsHref: chat.navigation.addCreditsHref(applicationId, href),
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
        <FollowUpList followUps={followUps} environment={environment} onLost={onLost} />
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
