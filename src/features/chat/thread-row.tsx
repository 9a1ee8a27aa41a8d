import {useSelector} from '@xstate/react'
import {memo, useMemo} from 'react'
import type {ServedModel} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import {messageText, stays, type RecordMessage} from '#domain/conversation.ts'
import type {Failure} from '#domain/failure.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {selectIsChanging, selectRemoval} from '#machines/message-changes/message-changes.selectors.ts'
import type {AnswerPhase} from './answer-text.tsx'
import {useChat} from './chat.context.tsx'
import type {AnswerProblem} from './error-card.tsx'
import {AnswerMessage, UserMessage} from './message-view.tsx'
import {BranchStatus, ChangeFailure, DeletedMessage, VersionNote, VersionPager} from './message-versions.tsx'
import type {OfferedModel} from './model-catalogue.ts'
import {modelLabel} from './model-label.ts'
import styles from './thread.module.css'
import {useBranchModels} from './use-branch-models.ts'
import {useRow} from './use-row.ts'
import {useRowCommands} from './use-row-commands.ts'
import type {Voice} from './use-voice.ts'

type StoredError = NonNullable<RecordMessage['error']>
/** A refusal has a message. A question that no server accepted has none where no server answered (`errorOf`). */
const failureOf = ({code, message, needed, available}: StoredError, isUnsent: boolean): Failure => ({
  code,
  detail: message ?? '',
  ...(isUnsent && message == null ? {lost: true} : {}),
  ...(needed != null && available != null ? {needed, available} : {}),
})

/** Display phase of a settled answer: stopped, failed with its reason, or finished. */
function settledPhase({state, outcome, error, unsent}: RecordMessage): {
  phase: AnswerPhase
  problem: AnswerProblem | undefined
} {
  if (state !== 'failed') return {phase: 'finished', problem: undefined}
  if (outcome === 'stopped' || error?.code === 'canceled') return {phase: 'stopped', problem: undefined}
  const failure = error ? failureOf(error, unsent === true) : undefined
  return {
    phase: 'failed',
    problem: {outcome: outcome === 'refused' || (outcome == null && failure) ? 'refused' : 'interrupted', failure},
  }
}

type ThreadRowProps = {
  actor: ConversationActor
  group: ModelGroup
  served: readonly ServedModel[]
  addCreditsHref: string
  onEditing: (index: number | undefined) => void
  /** Why the conversation's model cannot be used. */
  unusable: string | undefined
  /** Models that can answer instead. */
  models: readonly OfferedModel[]
  onUnusable: () => void
  index: number
  changes: MessageChangesActor | undefined
  voice: Voice
  isLast: boolean
  onAsked?: (() => void) | undefined
  /** The message was asked while this screen is open. */
  isFresh: boolean
  editing: boolean
}

/** One message of a thread. A changed message renders its own row only. */
export const ThreadRow = memo(function ThreadRow({
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
  onAsked,
}: ThreadRowProps) {
  const {navigation} = useChat()
  const {message, answer, running, id, conversation, anchor, isSettled, isAskedAgain, askedAt, sandbox} = useRow(
    actor,
    index,
  )
  const commands = useRowCommands({actor, index, id, changes, unusable, onUnusable, onEditing, onAsked})
  const inBranch = useBranchModels({actor, group, index, changes, served})
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
  // the conversation has no address while only this device has it
  const link =
    conversation === undefined || anchor === undefined
      ? undefined
      : navigation.href({group, conversation, message: anchor})

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
          onEdit={isSettled ? commands.edit : undefined}
          editDraft={commands.draft}
          onCancelEdit={commands.endEdit}
          onSendEdit={commands.sendEdit}
          isSaving={isSaving}
          isLast={isLast}
          onSaveEdit={changes === undefined || id === undefined ? undefined : commands.saveEdit}
          pager={pager}
          onBranch={isChangeable ? commands.branch : undefined}
          onRemove={isChangeable ? commands.remove : undefined}
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
  const model = message?.model ?? undefined
  const canRepeat = isLast && isSettled && isAskedAgain
  return (
    <div className={isFresh ? styles.fresh : styles.row} data-row={index}>
      <AnswerMessage
        actor={actor}
        text={message === undefined ? (answer ?? '') : messageText(message.content)}
        id={id}
        link={link}
        phase={phase}
        unconfirmed={message?.unconfirmed === true}
        truncated={truncated}
        problem={settled?.problem}
        model={model === undefined ? undefined : modelLabel(model, served)}
        at={message?.created_at ?? askedAt ?? undefined}
        thoughtMs={message?.thought_ms ?? undefined}
        sandbox={sandbox}
        isLast={isLast}
        voice={voice}
        index={index}
        addCreditsHref={addCreditsHref}
        onRetry={canRepeat && (phase === 'failed' || phase === 'stopped') ? commands.retry : undefined}
        onRegenerate={canRepeat && phase === 'finished' ? commands.regenerate : undefined}
        onContinue={canRepeat && (phase === 'stopped' || truncated || isInterrupted) ? commands.goOn : undefined}
        onEditQuestion={canRepeat && index > 0 ? commands.editQuestion : undefined}
        again={canRepeat ? {models, model, files: commands.files, onChoose: commands.answerWith, inBranch} : undefined}
        pager={pager}
        onBranch={isChangeable ? commands.branch : undefined}
        onRemove={isChangeable ? commands.remove : undefined}
      />
      {isLast && changes !== undefined && message !== undefined && (
        <BranchStatus changes={changes} message={message} served={served} />
      )}
      {failure}
    </div>
  )
})
