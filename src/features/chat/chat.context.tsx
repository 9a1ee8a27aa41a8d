import {createContext, useContext, type ReactNode} from 'react'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {HighlighterContext, type Highlighter} from './markdown/highlighter.ts'
import {MediaPolicyContext, type MediaPolicy} from './markdown/media-origins.ts'

/** Where in the chat the user is: a new conversation of a group, or one that has a key or a server's id. */
export type ChatPlace = {group: ModelGroup; conversation: string | undefined}

/** What the chat works with; exists while a session does. */
export type ChatActors = {conversations: ConversationListActor; provisioning: ProvisioningActor}

/** An attachment that is on the server. */
export type UploadedReference = {url: string; name: string; size: number | undefined}

/**
 * Text that was typed but not sent. `isAsked`: Send was pressed before the chat was ready; the question is sent as soon
 * as it is, unless it is changed or withdrawn first.
 */
export type Draft = {text: string; references: readonly UploadedReference[]; isAsked?: boolean}

/** Where the draft of a new conversation is kept. */
export const newDraftKey = (group: ModelGroup) => `new/${group}`

export type ChatPorts = {
  navigation: {
    href: (place: ChatPlace) => string
    go: (place: ChatPlace, options?: {replace?: boolean}) => void
    /** Any other page of the app. */
    follow: (href: string) => void
    /** The page where credits are bought for an application. */
    addCreditsHref: (applicationId: string | undefined) => string
  }
  /** Opens the dialog in which the tool is applied for. */
  startSetUp: () => void
  /** Uploads one file; `onProgress` gets 0…1. Rejects with anything `toFailure` can read. */
  upload: (file: File, options: {onProgress: (share: number) => void; signal: AbortSignal}) => Promise<{url: string}>
  /** Kept per user; read at once, written while typing (expectations §3, composer). */
  drafts: {read: (key: string) => Draft | undefined; write: (key: string, draft: Draft | undefined) => void}
  /** The model last chosen in a group. */
  models: {read: (group: ModelGroup) => string | undefined; write: (group: ModelGroup, model: string) => void}
  /** The conversation last on screen in a group, by id or key; `undefined` where that was a new one. Kept per user. */
  lastConversation: {
    read: (group: ModelGroup) => string | undefined
    write: (group: ModelGroup, conversation: string | undefined) => void
    subscribe: (listener: () => void) => () => void
  }
  /** Loads the words of threads and of the model's menu; `undefined` once they are there. Never rejects. */
  threadWords: () => Promise<void> | undefined
  /** A new UUID, for conversations and for the idempotency key of a question. */
  newKey: () => string
  /** Unix seconds. */
  now: () => number
  media: MediaPolicy
  highlighter: Highlighter
}

export type Chat = ChatPorts & {
  actors: ChatActors | undefined
  /** A user is probably signed in and their data is loading: the screen must not say that there is none. */
  isOpening: boolean
}

const ChatContext = createContext<Chat | undefined>(undefined)

/** Gives the chat feature its actors and ports; stands above panel, head and screen. */
export function ChatProvider({chat, children}: {chat: Chat; children: ReactNode}) {
  return (
    <ChatContext value={chat}>
      <MediaPolicyContext value={chat.media}>
        <HighlighterContext value={chat.highlighter}>{children}</HighlighterContext>
      </MediaPolicyContext>
    </ChatContext>
  )
}

export function useChat(): Chat {
  const chat = useContext(ChatContext)
  if (chat === undefined) throw new Error('The chat stands outside of its ChatProvider')
  return chat
}
