import {useSelector} from '@xstate/react'
import {useMemo, useSyncExternalStore, type ReactNode} from 'react'
import {ChatProvider, type Chat, type ChatPorts} from '#features/chat/chat.context.tsx'
import {selectIsSignedIn} from '#machines/auth/auth.selectors.ts'
import {useAppActor, useSessionActor} from '../actors.context.tsx'
import {type Drafts} from './drafts.ts'

type AppChatProps = {ports: ChatPorts; drafts: Pick<Drafts, 'subscribe' | 'isReady'>; children: ReactNode}

/** Provides the chat's ports, and its actors once a session exists and its drafts were read. */
export function AppChat({ports, drafts, children}: AppChatProps) {
  const conversations = useSessionActor('conversations')
  const provisioning = useSessionActor('provisioning/chat')
  const isSignedIn = useSelector(useAppActor('auth'), selectIsSignedIn)
  const isReady = useSyncExternalStore(drafts.subscribe, drafts.isReady)
  const chat = useMemo((): Chat => {
    const isThere = isReady && conversations !== undefined && provisioning !== undefined
    return {...ports, actors: isThere ? {conversations, provisioning} : undefined, isOpening: isSignedIn && !isThere}
  }, [ports, isReady, isSignedIn, conversations, provisioning])
  return <ChatProvider chat={chat}>{children}</ChatProvider>
}
