import {useSelector} from '@xstate/react'
import {useCallback, useImperativeHandle, useRef, useState, type Ref} from 'react'
import type {ServedModel} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import {addCreditsHref} from '#domain/add-credits-href.ts'
import {stays, type RecordMessage} from '#domain/conversation.ts'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectIsSettled, selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {MessageChangesActor, MessageChangesSnapshot} from '#machines/message-changes/message-changes.machine.ts'
import {selectRemoval} from '#machines/message-changes/message-changes.selectors.ts'
import {selectApplication} from '#machines/provisioning/provisioning.selectors.ts'
import {useText} from '#ui/text.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import {useChat, type ChatLocation} from './chat.context.tsx'
import {KeptEdit} from './kept-edit-note.tsx'
import type {OfferedModel} from './model-catalogue.ts'
import styles from './thread.module.css'
import {PlainThread} from './plain-thread.tsx'
import {useAddressedMessage} from './use-addressed-message.ts'
import {useEditing, type Editing} from './use-editing.ts'
import {useLeftEdits} from './use-left-edits.ts'
import {useMessageChanges} from './use-message-changes.ts'
import {useReading} from './use-reading.tsx'
import {useVoice} from './use-voice.ts'
import {useThreadFailure} from './use-thread-failure.ts'
import {ThreadRow} from './thread-row.tsx'
import {ThreadView, type ThreadHandle} from './thread-view.tsx'

export type ConversationHandle = Pick<ThreadHandle, 'jump'> & {
  /** Opens the editor of the last question, wherever the view is. */
  editLast: () => void
}

type ThreadProps = {
  actor: ConversationActor
  location: ChatLocation
  served: readonly ServedModel[]
  /** Why the conversation's model cannot be used. */
  unusable: string | undefined
  /** Models that can answer instead. */
  models: readonly OfferedModel[]
  /** Puts the focus into the message field, which also says why the conversation's model cannot be used. */
  focusField: () => void
  ref?: Ref<ConversationHandle>
}

const selectCount = ({context}: ConversationSnapshot) =>
  context.messages.length + (context.exchange === undefined ? 0 : 1)

/** How an answer ended that says nothing of it to screen readers: the words under it, or that it is there. */
function endOf(snapshot: ConversationSnapshot) {
  if (snapshot.matches('finished')) return 'chat.answerReady'
  if (!snapshot.matches({failed: 'stopped'})) return undefined
  return snapshot.context.messages.at(-1)?.unconfirmed === true ? 'chat.stopUnconfirmed' : 'chat.stopped'
}

/** The thread of one conversation actor; without its words, what was said in it. */
export function ConversationThread(props: ThreadProps) {
  const {failure, retry} = useThreadFailure()
  if (failure === undefined) return <Thread {...props} />
  const retryHere = () => {
    // its button goes; an on-screen keyboard would cover what comes
    if (!matchMedia(coarsePointer).matches) props.focusField()
    retry()
  }
  return <PlainThread actor={props.actor} onRetry={retryHere} />
}

/** A changed message renders its own row only. */
function Thread({actor, location, ref, ...common}: ThreadProps) {
  const view = useRef<ThreadHandle>(null)
  const {group} = location
  const {navigation} = useChat()
  const {kept, ...edit} = useEditing(actor)
  useLeftEdits(actor, group)
  const {editing, onEditing} = edit
  const changes = useMessageChanges(actor, group)
  const jump = useCallback(() => view.current?.jump(), [])
  const editLast = useCallback(() => {
    const index = lastQuestion(actor.getSnapshot(), changes?.getSnapshot())
    if (index === -1) return
    view.current?.reveal(index)
    onEditing(index)
  }, [actor, changes, onEditing])
  useImperativeHandle(ref, () => ({jump, editLast}), [jump, editLast])
  const {panel, followHit} = useReading(actor, group, view)
  const isMissing = useAddressedMessage(actor, location.message, view, changes, followHit)
  const text = useText()
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('streaming'))
  const writing = useSelector(actor, (snapshot) => snapshot.hasTag('writing'))
  const end = useSelector(actor, endOf)
  const [firstCount] = useState(() => selectCount(actor.getSnapshot()))
  const [wasBusy, setWasBusy] = useState(busy)
  if (busy && !wasBusy) setWasBusy(true)
  const announced = writing ? 'chat.answerStarted' : wasBusy ? end : undefined
  const rows = useThreadRows({
    ...common,
    actor,
    group,
    href: navigation.href({group, conversation: location.conversation ?? actor.getSnapshot().context.key}),
    changes,
    ...edit,
    freshFrom: firstCount,
    onAsked: jump,
  })
  return (
    <>
      {isMissing && (
        <p role="status" className={styles.notice}>
          {text('chat.messageMissing')}
        </p>
      )}
      <KeptEdit kept={kept} onEditing={onEditing} />
      <ThreadView
        ref={view}
        rows={rows}
        edited={editing}
        busy={busy}
        announcement={announced === undefined ? '' : text(announced)}
        focusField={common.focusField}
        {...panel}
      />
    </>
  )
}

/** Index of the last question that can be changed now, -1: there is none. */
function lastQuestion(snapshot: ConversationSnapshot, changes: MessageChangesSnapshot | undefined): number {
  const isThere = ({id}: RecordMessage) =>
    changes === undefined || id == null || selectRemoval(changes, id) === undefined
  return selectIsSettled(snapshot)
    ? selectMessages(snapshot).findLastIndex((message) => message.role === 'user' && stays(message) && isThere(message))
    : -1
}

type ThreadRowsProps = Omit<ThreadProps, 'location' | 'ref'> &
  Omit<Editing, 'kept'> & {
    group: ModelGroup
    /** Address of ours that shows the thread. */
    href: string
    changes: MessageChangesActor | undefined
    /** A changed question goes out. */
    onAsked?: () => void
    /** From this one on, messages were asked while the screen is open. */
    freshFrom: number
  }

/** A row for each message of a conversation, and for the answer that is being written. */
export function useThreadRows({editing, editor, freshFrom, href, ...common}: ThreadRowsProps) {
  const {actor} = common
  const voice = useVoice()
  const count = useSelector(actor, selectCount)
  const {actors} = useChat()
  const applicationId = useSelector(actors?.provisioning, (snapshot) => snapshot && selectApplication(snapshot)?.id)
  const unsentVersions = useSelector(actors?.conversations, (snapshot) =>
    snapshot === undefined ? undefined : selectItem(snapshot, actor.getSnapshot().context.key)?.unsentVersions,
  )
  return Array.from({length: count}, (_, index) => (
    <ThreadRow
      key={index}
      {...common}
      index={index}
      voice={voice}
      addCreditsHref={addCreditsHref(applicationId, href)}
      unsentVersions={unsentVersions}
      isLast={index === count - 1}
      isFresh={index >= freshFrom && index === count - 1}
      editor={editing === index ? editor : undefined}
    />
  ))
}
