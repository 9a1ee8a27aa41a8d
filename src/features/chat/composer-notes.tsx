import {failureText, type Failure} from '#domain/failure.ts'
import {useText} from '#ui/text.tsx'
import styles from './composer-notes.module.css'
import {shownLabel, type OfferedModel} from './model-catalogue.ts'
import {useThreadWords} from './use-thread-words.ts'

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
