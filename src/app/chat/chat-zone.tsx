import {useParams} from '@tanstack/react-router'
import {type ModelGroup} from '#contract/models.ts'
import {type ChatPlace} from '#features/chat/chat.context.tsx'
import {ChatHead as Head} from '#features/chat/chat-head.tsx'
import {ChatScreen} from '#features/chat/chat-screen.tsx'
import {ConversationPanel} from '#features/chat/conversation-panel.tsx'
import {usePage} from '../use-page.ts'

/** The place in the chat that the address names. */
function useChatPlace(): ChatPlace {
  const group: ModelGroup = usePage().modelGroup ?? 'chatgpt'
  const {conversationId} = useParams({strict: false})
  return {group, conversation: conversationId}
}

export const ChatRoute = () => <ChatScreen place={useChatPlace()} />
export const ChatHead = () => <Head place={useChatPlace()} />
export const ChatPanel = ({onGo}: {onGo?: () => void}) => (
  <ConversationPanel place={useChatPlace()} {...(onGo === undefined ? {} : {onGo})} />
)
