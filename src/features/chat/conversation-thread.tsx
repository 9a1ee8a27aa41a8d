import {useSelector} from '@xstate/react'
import {memo, useCallback, useImperativeHandle, useMemo, useRef, useState, type Ref} from 'react'
import type {ServedModel} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import {messageText, stays, type RecordMessage} from '#domain/conversation.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import {lastQuestion} from '#domain/exchange.ts'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectAnswerText, selectIsSettled, selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {
  selectIsChanging,
  selectRemoval,
  type MessageChangesActor,
} from '#machines/message-changes/message-changes.machine.ts'
import {messageAnchor} from '#domain/message-anchor.ts'
import {useText} from '#ui/text.tsx'
import {useChat, type ChatPlace} from './chat.context.tsx'
import type {AnswerProblem} from './error-card.tsx'
import {AnswerMessage, UserMessage, type AnswerPhase} from './message-view.tsx'
import {ChangeFailure, DeletedMessage, VersionNote, VersionPager} from './message-versions.tsx'
import type {OfferedModel} from './model-catalogue.ts'
import {modelLabel} from './model-label.ts'
import styles from './thread.module.css'
import {filesOf} from './unread-files.ts'
import {useAddressedMessage} from './use-addressed-message.ts'
import {keepUnsent, useEditDraft, useLeftEdit} from './use-edit-draft.ts'
import {useMessageChanges} from './use-message-changes.ts'
import {useReading} from './use-reading.tsx'
import {useVoice, type Voice} from './use-voice.ts'
import {useThreadWords} from './use-thread-words.ts'
import {ThreadView, type ThreadHandle} from './thread-view.tsx'

type ThreadProps = {
  actor: ConversationActor
  place: ChatPlace
  served: readonly ServedModel[]
  addCreditsHref: string
  editing: number | undefined
  onEditing: (index: number | undefined) => void
  /** Why the conversation's model cannot be used. */
  unusable: string | undefined
  /** Models that can answer instead. */
  models: readonly OfferedModel[]
  /** The user tried to ask with an unusable model: points to the model picker. */
  onUnusable: () => void
  ref?: Ref<Pick<ThreadHandle, 'jump'>>
}

/** Display phase of the running answer. */
function runningPhase(snapshot: ConversationSnapshot): AnswerPhase {
  if (snapshot.hasTag('stopped')) return 'stopping'
  if (snapshot.hasTag('reconnecting')) return 'reconnecting'
  return snapshot.context.exchange?.answer === '' ? 'pending' : 'writing'
}

const failureOf = ({code, message, needed, available}: NonNullable<RecordMessage['error']>) => ({
  code,
  detail: message ?? '',
  ...(needed != null && available != null ? {needed, available} : {}),
})

/** Display phase of a settled answer: stopped, failed with its reason, or finished. */
function settledPhase({state, outcome, error}: RecordMessage): {
  phase: AnswerPhase
  problem: AnswerProblem | undefined
} {
  if (state !== 'failed') return {phase: 'finished', problem: undefined}
  if (outcome === 'stopped' || error?.code === 'canceled') return {phase: 'stopped', problem: undefined}
  const failure = error ? failureOf(error) : undefined
  return {
    phase: 'failed',
    problem: {outcome: outcome === 'refused' || (outcome == null && failure) ? 'refused' : 'interrupted', failure},
  }
}

const selectCount = ({context}: ConversationSnapshot) =>
  context.messages.length + (context.exchange === undefined ? 0 : 1)

/** The thread of one conversation actor. A changed message renders its own row only. */
export function ConversationThread({actor, place, editing, ref, ...common}: ThreadProps) {
  useThreadWords()
  const view = useRef<ThreadHandle>(null)
  useImperativeHandle(ref, () => ({jump: () => view.current?.jump()}), [])
  const {group} = place
  const reading = useReading(actor, group, view)
  const isMissing = useAddressedMessage(actor, place.message, view)
  useLeftEdit(actor, common.onEditing)
  const text = useText()
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('streaming'))
  const writing = useSelector(actor, (snapshot) => snapshot.hasTag('writing'))
  const finished = useSelector(actor, (snapshot) => snapshot.matches('finished'))
  const [restored] = useState(() => selectCount(actor.getSnapshot()))
  const [wasBusy, setWasBusy] = useState(busy)
  if (busy && !wasBusy) setWasBusy(true)
  const announcement = writing ? text('chat.answerStarted') : wasBusy && finished ? text('chat.answerReady') : ''
  const rows = useThreadRows({...common, actor, group, editing, freshFrom: restored})
  return (
    <>
      {isMissing && (
        <p role="status" className={styles.notice}>
          {text('chat.messageMissing')}
        </p>
      )}
      <ThreadView ref={view} rows={rows} busy={busy} announcement={announcement} {...reading} />
    </>
  )
}

type ThreadRowsProps = Omit<ThreadProps, 'place' | 'ref'> & {
  group: ModelGroup
  /** From this one on, messages were asked while the screen is open. */
  freshFrom: number
}

/** A row for each message of a conversation, and for the answer that is being written. */
export function useThreadRows({editing, freshFrom, ...common}: ThreadRowsProps) {
  const {actor, group} = common
  const changes = useMessageChanges(actor, group)
  const voice = useVoice()
  const count = useSelector(actor, selectCount)
  return Array.from({length: count}, (_, index) => (
    <ThreadRow
      key={index}
      {...common}
      index={index}
      voice={voice}
      changes={changes}
      isLast={index === count - 1}
      isFresh={index >= freshFrom && index === count - 1}
      editing={editing === index}
    />
  ))
}

type ThreadRowProps = Omit<ThreadProps, 'place' | 'editing' | 'ref'> & {
  group: ModelGroup
  index: number
  changes: MessageChangesActor | undefined
  voice: Voice
  isLast: boolean
  /** The message was asked while this screen is open. */
  isFresh: boolean
  editing: boolean
}

const ThreadRow = memo(function ThreadRow({
  actor,
  index,
  group,
  voice,
  changes,
  models,
  served,
  addCreditsHref,
  isLast,
  isFresh,
  editing,
  onEditing,
  unusable,
  onUnusable,
}: ThreadRowProps) {
  const text = useText()
  const {actors, navigation, newKey, now} = useChat()
  const message = useSelector(actor, (snapshot) => selectMessages(snapshot)[index])
  const answer = useSelector(actor, (snapshot) =>
    snapshot.context.messages[index] === undefined ? selectAnswerText(snapshot) : undefined,
  )
  const running = useSelector(actor, (snapshot) =>
    snapshot.context.messages[index] === undefined ? runningPhase(snapshot) : undefined,
  )
  const id = useSelector(actor, ({context: {messages, exchange}}) => {
    const settled = messages[index]
    if (settled === undefined) return exchange?.message
    return settled.unsent === true ? undefined : (settled.id ?? undefined)
  })
  const isSettled = useSelector(actor, selectIsSettled)
  const isAskedAgain = useSelector(actor, ({context: {messages}}) => {
    const question = lastQuestion(messages)
    return question !== undefined && stays(question.message)
  })
  const askedAt = useSelector(actor, ({context: {messages}}) => messages[index - 1]?.created_at)
  const sandbox = useSelector(
    actor,
    (snapshot) => (snapshot.context.messages[index] ?? snapshot.context.exchange)?.sandbox === true,
  )

  const edit = useCallback(() => onEditing(index), [onEditing, index])
  const editQuestion = useCallback(() => onEditing(index - 1), [onEditing, index])
  const draft = useEditDraft(actor, index)
  const endEdit = useCallback(() => {
    draft.write(undefined)
    onEditing(undefined)
  }, [draft, onEditing])
  const sendEdit = useCallback(
    (question: string) => {
      endEdit()
      actor.send({type: 'message.edit', index, question, key: newKey(), at: now()})
      keepUnsent(actor, actors?.conversations, draft)
    },
    [actor, actors, draft, index, newKey, now, endEdit],
  )
  const isUsable = unusable === undefined
  const again = useCallback(
    (type: 'answer.retry' | 'answer.regenerate') =>
      isUsable ? actor.send({type, key: newKey(), at: now()}) : onUnusable(),
    [actor, isUsable, newKey, now, onUnusable],
  )
  const retry = useCallback(() => again('answer.retry'), [again])
  const regenerate = useCallback(() => again('answer.regenerate'), [again])
  const answerWith = (model: string) => {
    const hasFailed = actor.getSnapshot().matches('failed')
    actor.send({type: hasFailed ? 'answer.retry' : 'answer.regenerate', key: newKey(), at: now(), model})
  }
  const files = () => filesOf(actor.getSnapshot())
  const saveEdit = useCallback(
    (question: string) => {
      const id = selectMessages(actor.getSnapshot())[index]?.id
      if (changes === undefined || id == null) return
      const request = {type: 'change.request', change: {action: 'edit', message: id, question}} as const
      const listening = changes.on('change.settled', ({isDone}) => {
        listening.unsubscribe()
        // a text that could not be saved stays in its field
        if (isDone) endEdit()
      })
      changes.send(request)
    },
    [actor, changes, index, endEdit],
  )
  const isSaving = useSelector(changes, (snapshot) => snapshot !== undefined && selectIsChanging(snapshot))
  const removal = useSelector(changes, (snapshot) =>
    snapshot === undefined || id === undefined ? undefined : selectRemoval(snapshot, id),
  )
  const pager = useMemo(
    () =>
      changes === undefined || message === undefined ? undefined : (
        <VersionPager changes={changes} message={message} isSettled={isSettled} />
      ),
    [changes, isSettled, message],
  )
  const isChangeable = changes !== undefined && message !== undefined && id !== undefined && isSettled
  const branch = useCallback(() => {
    const title = text('chat.branchTitle', {title: conversationTitle(actor.getSnapshot().context)})
    changes?.send({type: 'change.request', change: {action: 'branch', message: id ?? '', title}})
  }, [actor, changes, id, text])
  const remove = useCallback(() => changes?.send({type: 'message.remove', message: id ?? ''}), [changes, id])
  const goOn = useCallback(() => {
    if (!isUsable) return onUnusable()
    const question = text('chat.continuePrompt')
    actor.send({type: 'prompt.submit', question, references: [], key: newKey(), at: now()})
  }, [actor, isUsable, newKey, now, onUnusable, text])

  const link = useSelector(actor, ({context: {id, messages}}) => {
    const anchor = id === undefined ? undefined : messageAnchor(messages, index)
    return anchor && navigation.href({group, conversation: id, message: anchor})
  })

  // a question that is on its way takes the deletion along
  const isUndoable = removal === 'undoable' && isSettled
  const isGone = removal === 'gone' || (message !== undefined && !stays(message))
  if (message?.role === 'system' || (isGone && !isUndoable)) return null
  if (changes !== undefined && id !== undefined && isUndoable)
    return (
      <div className={styles.row}>
        <DeletedMessage changes={changes} id={id} />
      </div>
    )
  const failure = changes !== undefined && message !== undefined && (
    <ChangeFailure changes={changes} message={message} />
  )
  if (message?.role === 'user') {
    return (
      <div className={styles.row} data-row={index}>
        <UserMessage
          content={message.content}
          at={message.created_at ?? undefined}
          link={link}
          editing={editing && isSettled}
          unusable={unusable}
          onEdit={isSettled ? edit : undefined}
          editDraft={draft}
          onCancelEdit={endEdit}
          onSendEdit={sendEdit}
          isSaving={isSaving}
          onSaveEdit={changes === undefined || id === undefined ? undefined : saveEdit}
          pager={pager}
          onBranch={isChangeable ? branch : undefined}
          onRemove={isChangeable ? remove : undefined}
        />
        {isLast && isChangeable && <VersionNote message={message} />}
        {failure}
      </div>
    )
  }
  const settled = message && settledPhase(message)
  const phase = settled?.phase ?? running ?? 'pending'
  const truncated = phase === 'finished' && message?.outcome === 'truncated'
  const isInterrupted = settled?.problem?.outcome === 'interrupted'
  const canRepeat = isLast && isSettled && isAskedAgain
  return (
    <div className={isFresh ? styles.fresh : styles.row} data-row={index}>
      <AnswerMessage
        text={message === undefined ? (answer ?? '') : messageText(message.content)}
        id={id}
        link={link}
        phase={phase}
        unconfirmed={message?.unconfirmed === true}
        truncated={truncated}
        problem={settled?.problem}
        model={message?.model == null ? undefined : modelLabel(message.model, served)}
        at={message?.created_at ?? askedAt ?? undefined}
        thoughtMs={message?.thought_ms ?? undefined}
        sandbox={sandbox}
        isLast={isLast}
        voice={voice}
        index={index}
        addCreditsHref={addCreditsHref}
        onRetry={canRepeat && (phase === 'failed' || phase === 'stopped') ? retry : undefined}
        onRegenerate={canRepeat && phase === 'finished' ? regenerate : undefined}
        onContinue={canRepeat && (phase === 'stopped' || truncated || isInterrupted) ? goOn : undefined}
        onEditQuestion={canRepeat && index > 0 ? editQuestion : undefined}
        again={canRepeat ? {models, model: message?.model ?? undefined, files, onChoose: answerWith} : undefined}
        pager={pager}
        onBranch={isChangeable ? branch : undefined}
        onRemove={isChangeable ? remove : undefined}
      />
      {failure}
    </div>
  )
})
