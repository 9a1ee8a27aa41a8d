import {useSelector} from '@xstate/react'
import {useEffect, useEffectEvent, useState} from 'react'
import type {QuestionContent} from '#domain/conversation.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectFollowUps, selectIsUnused, selectRejection} from '#machines/conversation/conversation.selectors.ts'
import {selectItems} from '#machines/follow-ups/follow-ups.machine.ts'
import {useText} from '#ui/text.tsx'
import {useChat} from './chat.context.tsx'
import styles from './composer-notes.module.css'
import {failureWords} from './failure-words.ts'
import {FollowUpList} from './follow-up-list.tsx'
import {shownLabel, type OfferedModel} from './model-catalogue.ts'
import {joinDraft} from './move-draft.ts'
import {referencesOf} from './references-of.ts'
import {rejectionsOf} from './rejections.ts'
import {takesAll} from './model-refusal.ts'
import {filesOf} from './unread-files.ts'
import {useThreadFailure} from './use-thread-failure.ts'

type ComposerNotesProps = {
  actor: ConversationActor
  /** The model chosen before is not offered any more: `chosen` replaces it. */
  missing: OfferedModel | undefined
  chosen: OfferedModel | undefined
  /** Takes what was typed into a waiting question that went meanwhile. */
  onLost: (typed: string) => void
}

/** The files of a question that does not go out come to those of the message field, as its text does. */
function useReturnedFiles(actor: ConversationActor) {
  const text = useText()
  const chat = useChat()
  const [, setFailure] = useState<never>()
  const give = useEffectEvent((unsent: QuestionContent) => {
    const {key} = actor.getSnapshot().context
    const references = referencesOf(unsent, text('chat.file'))
    joinDraft(chat, {text: '', references}, key)
    chat.files.open(key).catch((error: unknown) =>
      setFailure(() => {
        throw error
      }),
    )
  })
  useEffect(() => {
    const listening = rejectionsOf(actor).subscribe((rejection) => {
      if (rejection.references.length > 0) give(rejection)
    })
    return () => listening.unsubscribe()
  }, [actor])
}

/** Above the field: questions that wait, what became of the last question or model, what the model does not take. */
export function ComposerNotes(props: ComposerNotesProps) {
  const {failure} = useThreadFailure()
  if (failure === undefined) return <Notes {...props} />
  // a thread says it above
  if (selectIsUnused(props.actor.getSnapshot())) throw failure
  return null
}

function Notes({actor, missing, chosen, onLost}: ComposerNotesProps) {
  useReturnedFiles(actor)
  const text = useText()
  const followUps = useSelector(actor, selectFollowUps)
  const {environment, key} = actor.getSnapshot().context
  const rejection = useSelector(actor, selectRejection)
  // what waits changes in an actor of its own
  useSelector(followUps, selectItems)
  const isUnread = useSelector(
    actor,
    (snapshot) => chosen !== undefined && chosen.disabled === undefined && !takesAll(filesOf(snapshot), chosen),
  )
  return (
    <>
      <FollowUpList conversation={key} followUps={followUps} environment={environment} onLost={onLost} />
      {rejection !== undefined && (
        <p role="alert" className={styles.rejection}>
          {rejection.question !== '' && text('chat.editRejected')} <bdi>{failureWords(text, rejection.failure)}</bdi>
        </p>
      )}
      {missing !== undefined && chosen !== undefined && (
        <p role="status" className={styles.note}>
          {text('chat.missingModel', {missing: shownLabel(missing, text), model: shownLabel(chosen, text)})}
        </p>
      )}
      {isUnread && chosen !== undefined && (
        <p role="status" className={styles.note}>
          {text('chat.unreadFiles', {model: shownLabel(chosen, text)})}
        </p>
      )}
    </>
  )
}
