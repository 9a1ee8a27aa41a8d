import {useSelector} from '@xstate/react'
import {useEffect} from 'react'
import {selectActiveKey} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectIsCutOff, selectIsMissing} from '#machines/conversation-list/list-rows.selectors.ts'
import {buttonClass} from '#ui/button-class.ts'
import {EmptyState} from '#ui/empty-state.tsx'
import {ErrorState} from '#ui/error-state.tsx'
import {useText} from '#ui/text.tsx'
import {newDraftKey, useChat, type ChatActors, type ChatLocation} from '../chat.context.tsx'
import {moveDraft} from '../move-draft.ts'
import {LocationLink} from '../app-links.tsx'
import {useThreadWords} from '../use-thread-words.ts'
import styles from './missing-conversation.module.css'

type MissingConversationProps = Pick<ChatLocation, 'group'> & {actor: ChatActors['conversations']}

/** Stands for a conversation that the server does not know, or that is unknown since the list was not read. */
export function MissingConversation({actor, group}: MissingConversationProps) {
  useThreadWords()
  const text = useText()
  const isMissing = useSelector(actor, selectIsMissing)
  const key = useSelector(actor, selectActiveKey)
  useKeptWords(isMissing ? key : undefined, group)
  const isCutOff = useSelector(actor, selectIsCutOff)
  const retry = () => actor.send({type: 'conversations.refresh'})
  return (
    <div className={styles.missing}>
      <h1 className="visually-hidden" tabIndex={-1}>
        {text(isMissing ? 'chat.missingConversation' : 'chat.untitled')}
      </h1>
      {isMissing ? (
        <EmptyState
          title={text('chat.missing')}
          action={
            <LocationLink className={buttonClass('primary')} location={{group, conversation: undefined}}>
              {text('index.newChat')}
            </LocationLink>
          }
        />
      ) : isCutOff ? (
        <ErrorState title={text('chat.notOnDevice')} help={text('chat.notOnDeviceHelp')} onRetry={retry} />
      ) : (
        <ErrorState title={text('chat.listFailed')} onRetry={retry} />
      )}
    </div>
  )
}

/** Moves the draft of a conversation that is gone into the field of a new one. `key`: of the draft. */
function useKeptWords(key: string | undefined, group: ChatLocation['group']): void {
  const chat = useChat()
  useEffect(() => {
    if (key !== undefined && chat.drafts.read(key) !== undefined) moveDraft(chat, key, newDraftKey(group))
  }, [chat, key, group])
}
