import {useSelector} from '@xstate/react'
import {memo, useCallback, useState, type Ref} from 'react'
import type {ServedModel} from '#contract/management.ts'
import {messageText, type RecordMessage} from '#domain/conversation.ts'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectAnswerText, selectIsSettled, selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {useText} from '#ui/text.tsx'
import {AnswerSurroundings} from './answer-surroundings.tsx'
import {useChat} from './chat.context.tsx'
import type {AnswerProblem} from './error-card.tsx'
import {AnswerMessage, UserMessage, type AnswerPhase} from './message-view.tsx'
import {modelLabel} from './model-catalogue.ts'
import styles from './thread.module.css'
import {useVoice, type Voice} from './use-voice.ts'
import {useThreadWords} from './use-thread-words.ts'
import {ThreadView, type ThreadHandle} from './thread-view.tsx'

type ThreadProps = {
  actor: ConversationActor
  served: readonly ServedModel[]
  addCreditsHref: string
  editing: number | undefined
  onEditing: (index: number | undefined) => void
  /** Why the conversation's model cannot be used. */
  unusable: string | undefined
  /** The user tried to ask with an unusable model: points to the model picker. */
  onUnusable: () => void
  ref?: Ref<ThreadHandle>
}

/** Display phase of the running answer. */
function runningPhase(snapshot: ConversationSnapshot): AnswerPhase {
  if (snapshot.hasTag('stopped')) return 'stopping'
  if (snapshot.hasTag('reconnecting')) return 'reconnecting'
  return snapshot.context.exchange?.answer === '' ? 'pending' : 'writing'
}

/** Display phase of a settled answer: stopped, failed with its reason, or finished. */
function settledPhase({state, outcome, error}: RecordMessage): {
  phase: AnswerPhase
  problem: AnswerProblem | undefined
} {
  if (state !== 'failed') return {phase: 'finished', problem: undefined}
  if (outcome === 'stopped' || error?.code === 'canceled') return {phase: 'stopped', problem: undefined}
  const failure = error ? {code: error.code, detail: error.message ?? ''} : undefined
  return {
    phase: 'failed',
    problem: {outcome: outcome === 'refused' || (outcome == null && failure) ? 'refused' : 'interrupted', failure},
  }
}

const selectCount = ({context}: ConversationSnapshot) =>
  context.messages.length + (context.exchange === undefined ? 0 : 1)

/** The thread of one conversation actor. A changed message renders its own row only. */
export function ConversationThread({actor, editing, ref, ...common}: ThreadProps) {
  useThreadWords()
  const voice = useVoice()
  const text = useText()
  const count = useSelector(actor, selectCount)
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('streaming'))
  const writing = useSelector(actor, (snapshot) => snapshot.hasTag('writing'))
  const finished = useSelector(actor, (snapshot) => snapshot.matches('finished'))
  const [restored] = useState(count)
  const [wasBusy, setWasBusy] = useState(busy)
  if (busy && !wasBusy) setWasBusy(true)
  const announcement = writing ? text('chat.answerStarted') : wasBusy && finished ? text('chat.answerReady') : ''
  const rows = Array.from({length: count}, (_, index) => (
    <ThreadRow
      key={index}
      actor={actor}
      index={index}
      voice={voice}
      {...common}
      isLast={index === count - 1}
      isFresh={index >= restored && index === count - 1}
      editing={editing === index}
    />
  ))
  return (
    <AnswerSurroundings>
      <ThreadView ref={ref} rows={rows} busy={busy} announcement={announcement} />
    </AnswerSurroundings>
  )
}

type ThreadRowProps = Omit<ThreadProps, 'editing' | 'ref'> & {
  index: number
  voice: Voice
  isLast: boolean
  /** The message was asked while this screen is open. */
  isFresh: boolean
  editing: boolean
}

const ThreadRow = memo(function ThreadRow({
  actor,
  index,
  voice,
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
  const {newKey, now} = useChat()
  const message = useSelector(actor, (snapshot) => selectMessages(snapshot)[index])
  const answer = useSelector(actor, (snapshot) =>
    snapshot.context.messages[index] === undefined ? selectAnswerText(snapshot) : undefined,
  )
  const running = useSelector(actor, (snapshot) =>
    snapshot.context.messages[index] === undefined ? runningPhase(snapshot) : undefined,
  )
  const isSettled = useSelector(actor, selectIsSettled)
  const sandbox = useSelector(
    actor,
    (snapshot) => (snapshot.context.messages[index] ?? snapshot.context.exchange)?.sandbox === true,
  )

  const edit = useCallback(() => onEditing(index), [onEditing, index])
  const editQuestion = useCallback(() => onEditing(index - 1), [onEditing, index])
  const cancelEdit = useCallback(() => onEditing(undefined), [onEditing])
  const sendEdit = useCallback(
    (question: string) => {
      actor.send({type: 'message.edit', index, question, key: newKey(), at: now()})
      onEditing(undefined)
    },
    [actor, index, newKey, now, onEditing],
  )
  const isUsable = unusable === undefined
  const again = useCallback(
    (type: 'answer.retry' | 'answer.regenerate') =>
      isUsable ? actor.send({type, key: newKey(), at: now()}) : onUnusable(),
    [actor, isUsable, newKey, now, onUnusable],
  )
  const retry = useCallback(() => again('answer.retry'), [again])
  const regenerate = useCallback(() => again('answer.regenerate'), [again])
  const goOn = useCallback(() => {
    if (!isUsable) return onUnusable()
    const question = text('chat.continuePrompt')
    actor.send({type: 'prompt.submit', question, references: [], key: newKey(), at: now()})
  }, [actor, isUsable, newKey, now, onUnusable, text])

  if (message?.role === 'system') return null
  if (message?.role === 'user') {
    return (
      <div className={styles.row}>
        <UserMessage
          content={message.content}
          editing={editing && isSettled}
          unusable={unusable}
          onEdit={isSettled ? edit : undefined}
          onCancelEdit={cancelEdit}
          onSendEdit={sendEdit}
        />
      </div>
    )
  }
  const settled = message && settledPhase(message)
  const phase = settled?.phase ?? running ?? 'pending'
  const truncated = phase === 'finished' && message?.outcome === 'truncated'
  const isInterrupted = settled?.problem?.outcome === 'interrupted'
  const canRepeat = isLast && isSettled
  return (
    <div className={isFresh ? styles.fresh : styles.row}>
      <AnswerMessage
        text={message === undefined ? (answer ?? '') : messageText(message.content)}
        phase={phase}
        unconfirmed={message?.unconfirmed === true}
        truncated={truncated}
        problem={settled?.problem}
        model={message?.model == null ? undefined : modelLabel(message.model, served)}
        sandbox={sandbox}
        isLast={isLast}
        voice={voice}
        index={index}
        addCreditsHref={addCreditsHref}
        onRetry={canRepeat && (phase === 'failed' || phase === 'stopped') ? retry : undefined}
        onRegenerate={canRepeat && phase === 'finished' ? regenerate : undefined}
        onContinue={canRepeat && (phase === 'stopped' || truncated || isInterrupted) ? goOn : undefined}
        onEditQuestion={canRepeat && index > 0 ? editQuestion : undefined}
      />
    </div>
  )
})
