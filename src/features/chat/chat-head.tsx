import {useSelector} from '@xstate/react'
import {Suspense, type ReactNode} from 'react'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {NewChatIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {partView} from '#ui/use-lazy.ts'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useChat, type ChatLocation} from './chat.context.tsx'
import styles from './chat-screen.module.css'
import {fillHeadSlot} from './head-slot.ts'
import {loadViews} from './load-views.ts'
import {ModelPicker} from './model-picker.tsx'
import {LocationLink} from './app-links.tsx'
import {useChatModels} from './use-chat-models.ts'

const ShareButton = partView(loadViews, (views) => views.ShareButton)

type ChatHeadProps = {
  location: ChatLocation
  /** Shown beside the model: the source of the answers. */
  badge?: ReactNode
}

/** The location of the conversation's menu: at the end of the head, on phones before the link to a new chat. */
export const HeadTools = () => <div ref={fillHeadSlot} className={styles.tools} />

/** Head of the chat: the model picker; on phones also a link to a new chat (design §1.2). */
export function ChatHead({location, badge}: ChatHeadProps) {
  const text = useText()
  const {actors} = useChat()
  const isPhone = useMediaQuery(phone)
  const actor = useSelector(actors?.conversations, (snapshot) => snapshot && selectActiveConversation(snapshot))
  // one picker with and without a session: what was opened early stays open
  const {offered, chosen, choose} = useChatModels(actors, location.group, actor)
  return (
    <>
      <div className={styles.model}>
        <ModelPicker models={offered} chosen={chosen} onChoose={choose} />
        {badge}
      </div>
      {actors !== undefined && location.conversation !== undefined && (
        <Suspense>
          <ShareButton actors={actors} />
        </Suspense>
      )}
      {isPhone && <HeadTools />}
      {isPhone && (
        <LocationLink
          className={styles.newChat}
          location={{group: location.group, conversation: undefined}}
          aria-label={text('index.newChat')}
        >
          <NewChatIcon size={20} />
        </LocationLink>
      )}
    </>
  )
}
