import {failureText, type Failure} from '#domain/failure.ts'
import {buttonClass} from '#ui/button-class.ts'
import {EmptyState} from '#ui/empty-state.tsx'
import {useText} from '#ui/text.tsx'
import type {ChatPlace} from './chat.context.tsx'
import styles from './chat-notes.module.css'
import {shownLabel, type OfferedModel} from './model-catalogue.ts'
import {PlaceLink} from './place-link.tsx'
import {useThreadWords} from './use-thread-words.ts'

/** In place of a conversation that the address names and nobody has. */
export function MissingConversation({place}: {place: ChatPlace}) {
  useThreadWords()
  const text = useText()
  return (
    <div className={styles.missing}>
      <h1 className="visually-hidden" tabIndex={-1}>
        {text('chat.missingConversation')}
      </h1>
      <EmptyState
        title={text('chat.missing')}
        action={
          <PlaceLink className={buttonClass('primary')} place={{group: place.group, conversation: undefined}}>
            {text('chat.newChat')}
          </PlaceLink>
        }
      />
    </div>
  )
}

type ComposerNotesProps = {
  /** Why a question that replaces messages did not go out. */
  rejection: {failure: Failure} | undefined
  /** The model chosen before is not offered any more: `chosen` takes its place. */
  missing: OfferedModel | undefined
  chosen: OfferedModel | undefined
}

/** Above the message field: what became of the last question or model. */
export function ComposerNotes({rejection, missing, chosen}: ComposerNotesProps) {
  useThreadWords()
  const text = useText()
  return (
    <>
      {rejection !== undefined && (
        <p role="alert" className={styles.rejection}>
          {text('chat.editRejected')} <bdi>{failureText(rejection.failure)}</bdi>
        </p>
      )}
      {missing !== undefined && chosen !== undefined && (
        <p role="status" className={styles.missingModel}>
          {text('chat.missingModel', {missing: shownLabel(missing, text), model: shownLabel(chosen, text)})}
        </p>
      )}
    </>
  )
}
