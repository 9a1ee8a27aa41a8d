import {useSelector} from '@xstate/react'
import {Suspense, useState} from 'react'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {ShareIcon} from '#ui/share-icon.tsx'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useChat, type ChatActors} from './chat.context.tsx'
import {useThreadFailure} from './use-thread-failure.ts'

/**
 * Shares the conversation on screen; nothing where the back end cannot, or does not know it yet. On a phone, whose head
 * has no room for it beside the name of the model, the menu of the thread does.
 */
export function ShareButton({actors}: {actors: ChatActors}) {
  const {failure} = useThreadFailure()
  const text = useText()
  const {ShareDialog} = useChat()
  const [isOpen, setOpen] = useState(false)
  const actor = useSelector(actors.conversations, selectActiveConversation)
  const id = useSelector(actor, (snapshot) => snapshot?.context.id)
  const isPhone = useMediaQuery(phone)
  if (ShareDialog === undefined || id === undefined || isPhone || failure !== undefined) return null
  return (
    <>
      <IconButton label={text('chat.share')} icon={<ShareIcon />} onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <ShareDialog conversation={id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
