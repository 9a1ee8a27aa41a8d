import {useSelector} from '@xstate/react'
import {memo, useMemo} from 'react'
import type {ServedModel} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import {stays, type RecordMessage} from '#domain/conversation.ts'
import type {Failure} from '#domain/failure.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {selectIsChanging, selectRemoval} from '#machines/message-changes/message-changes.selectors.ts'
import type {Again} from './again-models.tsx'
import type {AnswerPhase} from './answer-text.tsx'
import {useChat} from './chat.context.tsx'
import type {AnswerProblem} from './error-card.tsx'
import {AnswerMessage, UserMessage} from './message-view.tsx'
import {BranchStatus, ChangeFailure, DeletedMessage, VersionNote, VersionPager} from './message-versions.tsx'
import type {OfferedModel} from './model-catalogue.ts'
import {modelLabel} from './model-label.ts'
import {QuestionEditor} from './question-editor.tsx'
import styles from './thread.module.css'
import {useBranchModels} from './use-branch-models.ts'
import {useRow} from './use-row.ts'
import {useRowCommands} from './use-row-commands.ts'
import type {Voice} from './use-voice.ts'

type StoredError = NonNullable<RecordMessage['error']>
/** A refusal has a message. A question that no server accepted has none where no server answered (`errorOf`). */
const failureOf = ({code, message, field, needed, available}: StoredError, isUnsent: boolean): Failure => ({
  code,
  detail: message ?? '',
  ...(field != null && {field}),
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
  focusField: () => void
  index: number
  changes: MessageChangesActor | undefined
  /** The versions of the conversation that no server has. */
  unsentVersions: readonly RecordMessage[][] | undefined
  voice: Voice
  isLast: boolean
  onAsked?: (() => void) | undefined
  /** The message was asked while this screen is open. */
  isFresh: boolean
  /** Name of the editor of this message, if that is open. */
  editor: string | undefined
}

type Row = ReturnType<typeof useRow>

/** One message of a thread. A changed message renders its own row only. */
export const ThreadRow = memo(function ThreadRow(props: ThreadRowProps) {
  const {actor, index, changes} = props
  const row = useRow(actor, index)
  const {message, name, isSettled, isUnsentVersion} = row
  const id = row.id ?? name
  const removal = useSelector(changes, (snapshot) =>
    snapshot === undefined || id === undefined ? undefined : selectRemoval(snapshot, id),
  )
  // a question that is on its way takes the deletion along
  const isUndoable = removal === 'undoable' && isSettled
  const isGone = removal === 'gone' || (message !== undefined && !stays(message))
  // the failure of a refused question goes with it
  const isBelow = isUndoable && row.id === undefined && !isUnsentVersion
  if (message?.role === 'system' || (isGone && !isUndoable) || isBelow) return null
  if (changes !== undefined && id !== undefined && isUndoable)
    return (
      <div>
        <DeletedMessage changes={changes} id={id} />
      </div>
    )
  return message?.role === 'user' ? (
    <QuestionRow {...props} row={row} question={message} />
  ) : (
    <AnswerRow {...props} row={row} />
  )
})

/** Returns the props that questions and answers share: the user's actions on them, their versions, their address. */
function useMessageProps(props: ThreadRowProps, row: Row) {
  const {message, id, name, conversation, anchor, isSettled, isUnsentVersion} = row
  const {actor, index, group, changes, unsentVersions, unusable, focusField, onEditing, isLast, onAsked} = props
  const {navigation} = useChat()
  const commands = useRowCommands({actor, index, id, name, changes, unusable, focusField, onEditing, isLast, onAsked})
  const pager = useMemo(
    () =>
      changes === undefined || message === undefined ? undefined : (
        <VersionPager {...{changes, message, name, unsentVersions, isSettled}} />
      ),
    [changes, isSettled, message, name, unsentVersions],
  )
  const isChangeable = changes !== undefined && message !== undefined && id !== undefined && isSettled
  // the conversation has no address while only this device has it
  const link =
    conversation === undefined || anchor === undefined
      ? undefined
      : navigation.href({group, conversation, message: anchor})
  const changing = {
    pager,
    link,
    onBranch: isChangeable ? commands.branch : undefined,
    onRemove: isChangeable || (isUnsentVersion && isSettled && changes !== undefined) ? commands.remove : undefined,
  }
  return {commands, isChangeable, changing}
}

type Commands = Pick<ReturnType<typeof useRowCommands>, 'files' | 'answerWith'>
const againOf = (
  offer: Pick<Again, 'models' | 'model'>,
  {files, answerWith}: Commands,
  inBranch: Again['inBranch'],
): Again => ({...offer, files, onChoose: answerWith, inBranch})
const noOthers = () => undefined

/** A question of the user, or the field in which it is edited. */
function QuestionRow({row, question, ...props}: ThreadRowProps & {row: Row; question: RecordMessage}) {
  const {actor, group, index, changes, unsentVersions, models, served, isLast, editor, unusable} = props
  const {id, isSettled} = row
  const isAnswerable = isLast && isSettled && row.isAskedAgain
  const {commands, isChangeable, changing} = useMessageProps(props, row)
  const isSaving = useSelector(changes, (snapshot) => snapshot !== undefined && selectIsChanging(snapshot))
  return (
    <div data-row={index}>
      <UserMessage
        {...changing}
        message={question}
        editor={
          editor !== undefined ? (
            <QuestionEditor
              key={editor}
              {...{actor, group, index, unusable, isSaving}}
              message={question}
              draft={commands.draft}
              onCancel={commands.endEdit}
              onSend={commands.sendEdit}
              onSave={changes === undefined || id === undefined ? undefined : commands.saveEdit}
            />
          ) : undefined
        }
        onEdit={isSettled ? commands.edit : undefined}
        onAnswer={isAnswerable ? commands.regenerate : undefined}
        again={isAnswerable ? againOf({models, model: undefined}, commands, noOthers) : undefined}
        isLast={isLast}
      />
      {isLast && isChangeable && <VersionNote message={question} />}
      {changes !== undefined && (
        <BranchStatus {...{changes, served, isLast}} message={question} model={actor.getSnapshot().context.model} />
      )}
      {changes !== undefined && <ChangeFailure {...{changes, unsentVersions}} message={question} />}
    </div>
  )
}

/** An answer, also while it is written: then it has no message yet. */
function AnswerRow({row, ...props}: ThreadRowProps & {row: Row}) {
  const {actor, index, group, voice, changes, unsentVersions, models, served, addCreditsHref, isLast, isFresh} = props
  const {message, answer, running, id, isSettled, isAskedAgain, isAnsweredAgain, gone, askedAt, sandbox} = row
  const {commands, changing} = useMessageProps(props, row)
  const inBranch = useBranchModels({actor, group, index, changes, served})
  const settledView = message && settledPhase(message)
  const phase = settledView?.phase ?? running ?? 'pending'
  const isTruncated = phase === 'finished' && message?.outcome === 'truncated'
  const isInterrupted = settledView?.problem?.outcome === 'interrupted'
  const model = message?.model ?? undefined
  const canRepeat = isLast && isSettled && isAskedAgain
  const isEarlier = !isLast && isAnsweredAgain
  return (
    <div className={isFresh ? styles.fresh : undefined} data-row={index}>
      <AnswerMessage
        {...{...changing, actor, id, phase, truncated: isTruncated, sandbox, isLast, voice, index, addCreditsHref}}
        content={message?.content ?? answer ?? ''}
        unconfirmed={message?.unconfirmed === true}
        problem={settledView?.problem}
        gone={gone}
        model={model === undefined ? undefined : modelLabel(model, served)}
        at={message?.created_at ?? askedAt ?? undefined}
        thoughtMs={message?.thought_ms ?? undefined}
        onRetry={canRepeat && (phase === 'failed' || phase === 'stopped') ? commands.retry : undefined}
        onRegenerate={isEarlier || (canRepeat && phase === 'finished') ? commands.regenerate : undefined}
        onContinue={canRepeat && (phase === 'stopped' || isTruncated || isInterrupted) ? commands.goOn : undefined}
        onEditQuestion={canRepeat && index > 0 ? commands.editQuestion : undefined}
        again={isEarlier || canRepeat ? againOf({models, model}, commands, inBranch) : undefined}
      />
      {changes !== undefined && message !== undefined && (
        <BranchStatus {...{changes, message, served, isLast}} model={actor.getSnapshot().context.model} />
      )}
      {changes !== undefined && message !== undefined && <ChangeFailure {...{changes, message, unsentVersions}} />}
    </div>
  )
}
