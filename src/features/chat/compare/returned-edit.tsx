import {useSelector} from '@xstate/react'
import {useEffect, useEffectEvent} from 'react'
import {editKeys} from '#domain/edit-keys.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectRejection} from '#machines/conversation/conversation.selectors.ts'
import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import {failureWords} from '../failure-words.ts'
import {referencesOf} from '../references-of.ts'
import {rejectionsOf} from '../rejections.ts'
import {editDraftOf} from '../use-edit-draft.ts'
import type {Editing} from '../use-editing.ts'
import styles from './compare-column.module.css'

type ReturnedEditProps = Pick<Editing, 'editing' | 'onEditing'> & {actor: ConversationActor}

/**
 * Says why a question of a column did not go out. A changed one is in its editor again, with its files: the field below
 * is that of all columns. Where another editor is open, it waits for its own.
 */
export function ReturnedEdit({actor, editing, onEditing}: ReturnedEditProps) {
  const text = useText()
  const {drafts} = useChat()
  const rejection = useSelector(actor, selectRejection)
  const give = useEffectEvent((unsent: NonNullable<typeof rejection>) => {
    const {key, messages} = actor.getSnapshot().context
    const draft = editDraftOf(drafts, editKeys(key, messages, unsent.index))
    draft.keep({text: unsent.question, references: referencesOf(unsent, text('chat.file'))})
    if (editing === undefined) onEditing(unsent.index)
  })
  useEffect(() => {
    const listening = rejectionsOf(actor).subscribe((rejection) => {
      if (rejection.question !== '') give(rejection)
    })
    return () => listening.unsubscribe()
  }, [actor])
  if (rejection === undefined) return null
  return (
    <p role="alert" className={styles.rejection}>
      {text('chat.changeFailed')} <bdi>{failureWords(text, rejection.failure)}</bdi>
    </p>
  )
}
