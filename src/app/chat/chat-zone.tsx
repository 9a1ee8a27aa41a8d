import {useLocation, useMatches, useParams} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {type ModelGroup} from '#contract/models.ts'
import {type ChatLocation} from '#features/chat/chat.context.tsx'
import {ChatHead as Head} from '#features/chat/chat-head.tsx'
import {ChatScreen} from '#features/chat/chat-screen.tsx'
import {ConversationPanel} from '#features/chat/conversation-panel.tsx'
import {SandboxBadge} from '#features/shell/bars.tsx'
import {enabledTools} from '#features/shell/tools.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {selectIsSandbox} from '#machines/provisioning/provisioning.selectors.ts'
import {useAppActor, useSessionActor} from '../actors.context.tsx'
import {usePage} from '../use-page.ts'

/** The chat location in the address. */
function useChatLocation(): ChatLocation {
  const group: ModelGroup = usePage().modelGroup ?? 'chatgpt'
  const {conversationId} = useParams({strict: false})
  const shownPath = useMatches({select: (matches) => matches.at(-1)?.pathname})
  // on the way to another conversation the location is ahead: its message is none of the one on screen
  const message = useLocation({select: ({pathname, hash}) => (pathname === shownPath ? hash : '')})
  return {group, conversation: conversationId, message}
}

export const ChatRoute = () => <ChatScreen location={useChatLocation()} />

/** The model, and a mark if the sandbox answers. */
function ChatHead() {
  const provisioning = useSessionActor('provisioning/chat')
  const isSandbox = useSelector(provisioning, (snapshot) => snapshot !== undefined && selectIsSandbox(snapshot))
  return <Head location={useChatLocation()} badge={isSandbox && <SandboxBadge />} />
}
function ChatPanel({onGo}: {onGo?: (() => void) | undefined}) {
  const features = useSelector(useAppActor('site'), selectSite)?.features
  const groups = enabledTools(features).flatMap((tool) => (tool.group === 'chat' ? [tool.id] : []))
  return <ConversationPanel location={useChatLocation()} groups={groups} onGo={onGo} />
}

/** The parts of the chat beside its screen: its panel and its head. */
export const ChatPart = ({of, onGo}: {of: 'head' | 'panel'; onGo?: () => void}) =>
  of === 'head' ? <ChatHead /> : <ChatPanel onGo={onGo} />
