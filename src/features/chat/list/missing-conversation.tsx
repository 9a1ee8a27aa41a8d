import {buttonClass} from '#ui/button-class.ts'
import {EmptyState} from '#ui/empty-state.tsx'
import {useText} from '#ui/text.tsx'
import type {ChatPlace} from '../chat.context.tsx'
import {PlaceLink} from '../place-link.tsx'
import {useThreadWords} from '../use-thread-words.ts'
import styles from './missing-conversation.module.css'

/** Stands for a conversation that the server does not know. */
export function MissingConversation({group}: Pick<ChatPlace, 'group'>) {
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
          <PlaceLink className={buttonClass('primary')} place={{group, conversation: undefined}}>
            {text('index.newChat')}
          </PlaceLink>
        }
      />
    </div>
  )
}
