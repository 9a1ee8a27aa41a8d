import {useSelector} from '@xstate/react'
import {Suspense, type ReactNode} from 'react'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {NewChatIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useChat, type ChatActors, type ChatPlace} from './chat.context.tsx'
import {chooseModel} from './model-catalogue.ts'
import styles from './chat-screen.module.css'
import {headSlot} from './head-slot.ts'
import {loadViews} from './load-views.ts'
import {ModelPicker} from './model-picker.tsx'
import {PlaceLink} from './place-link.tsx'
import {useChatModels} from './use-chat-models.ts'

const ShareButton = lazyView(async () => (await loadViews()).ShareButton)

type ChatHeadProps = {
  place: ChatPlace
  /** Shown beside the model: the source of the answers. */
  badge?: ReactNode
}

/** Head of the chat: the model picker; on phones also a link to a new chat (design §1.2). */
export function ChatHead({place, badge}: ChatHeadProps) {
  const text = useText()
  const {actors} = useChat()
  const isPhone = useMediaQuery(phone)
  return (
    <>
      <div className={styles.model}>
        {actors === undefined ? (
          <SignedOutPicker place={place} />
        ) : (
          <ConversationModelPicker actors={actors} place={place} />
        )}
        {badge}
      </div>
      {actors !== undefined && place.conversation !== undefined && (
        <Suspense>
          <ShareButton actors={actors} />
        </Suspense>
      )}
      <div ref={headSlot.set} className={styles.tools} />
      {isPhone && (
        <PlaceLink
          className={styles.newChat}
          place={{group: place.group, conversation: undefined}}
          aria-label={text('index.newChat')}
        >
          <NewChatIcon size={20} />
        </PlaceLink>
      )}
    </>
  )
}

function ConversationModelPicker({actors, place}: {actors: ChatActors; place: ChatPlace}) {
  const actor = useSelector(actors.conversations, selectActiveConversation)
  const {offered, chosen, choose} = useChatModels(actors, place.group, actor)
  return <ModelPicker models={offered} chosen={chosen} onChoose={choose} />
}

function SignedOutPicker({place}: {place: ChatPlace}) {
  const {models} = useChat()
  const {offered, chosen} = chooseModel(place.group, [], models.read(place.group))
  return <ModelPicker models={offered} chosen={chosen} onChoose={(name) => models.write(place.group, name)} />
}
