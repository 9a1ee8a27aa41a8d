import {useLocation, useParams} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {type ModelGroup} from '#contract/models.ts'
import {type ChatPlace} from '#features/chat/chat.context.tsx'
import {ChatHead as Head} from '#features/chat/chat-head.tsx'
import {ChatScreen} from '#features/chat/chat-screen.tsx'
import {ConversationPanel} from '#features/chat/conversation-panel.tsx'
import {SandboxBadge} from '#features/shell/bars.tsx'
import {selectIsSandbox} from '#machines/provisioning/provisioning.selectors.ts'
import {useSessionActor} from '../actors.context.tsx'
import {usePage} from '../use-page.ts'

/** The chat location in the address. */
function useChatPlace(): ChatPlace {
  const group: ModelGroup = usePage().modelGroup ?? 'chatgpt'
  const {conversationId} = useParams({strict: false})
  const message = useLocation({select: ({hash}) => hash})
  return {group, conversation: conversationId, message}
}

export const ChatRoute = () => <ChatScreen place={useChatPlace()} />

/** The model, and a mark if the sandbox answers. */
function ChatHead() {
  const provisioning = useSessionActor('provisioning/chat')
  const isSandbox = useSelector(provisioning, (snapshot) => snapshot !== undefined && selectIsSandbox(snapshot))
  return <Head place={useChatPlace()} badge={isSandbox && <SandboxBadge />} />
}
const ChatPanel = ({onGo}: {onGo?: (() => void) | undefined}) => (
  <ConversationPanel place={useChatPlace()} {...(onGo === undefined ? {} : {onGo})} />
)

/** One view for both, so that the drawer of a phone has its content at once: the head has loaded it. */
export const ChatPart = ({of, onGo}: {of: 'head' | 'panel'; onGo?: () => void}) =>
  of === 'head' ? <ChatHead /> : <ChatPanel onGo={onGo} />
