import {createContext, useContext, type ComponentType, type ReactNode} from 'react'
import type {AnyActorRef} from 'xstate'
import type {EarlyQuestion} from '#browser/early-question.ts'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {LabelColour} from '#domain/persisted-state.ts'
import type {ExportWords} from '#domain/conversation-file.ts'
import type {changingMachine} from '#machines/conversation-changes/changing.machine.ts'
import type {
  ConversationChangesActor,
  conversationChangesMachine,
} from '#machines/conversation-changes/conversation-changes.machine.ts'
import type {ConversationExportActor} from '#machines/conversation-export/conversation-export.machine.ts'
import type {ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectIsUnused} from '#machines/conversation/conversation.selectors.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {ReadAloudActor} from '#machines/read-aloud/read-aloud.machine.ts'
import type {
  RemovedQuestionsActor,
  removedQuestionsMachine,
} from '#machines/removed-questions/removed-questions.machine.ts'
import type {SavedPromptsActor} from '#machines/saved-prompts/saved-prompts.machine.ts'
import type {SearchIndexActor} from '#machines/search-index/search-index.machine.ts'
import type {PartWords} from '#ui/part-words.ts'
import type {MessageId} from '#ui/text.tsx'
import {HighlightWorkerContext, type HighlightWorker} from './markdown/highlight-worker.ts'
import type {ModelChoiceProps} from './model-catalogue.ts'
import {MediaPolicyContext, type MediaPolicy} from './markdown/media-origins.ts'
import {ShownImages, shownImagesOf} from './markdown/shown-images.ts'
import type {DraftStore} from './draft.types.ts'
import type {DraftFilesPort} from './draft-files-port.ts'

/**
 * The user's location in the chat: a new conversation of a group, or one with a key or a server's id. `message`: the
 * message that a link names (domain/message-anchor).
 */
export type ChatLocation = {group: ModelGroup; conversation: string | undefined; message?: string}

/** Actors of the chat; they exist while a session does. */
export type ChatActors = {conversations: ConversationListActor; provisioning: ProvisioningActor}

/** Key of the draft of a new conversation. */
export const newDraftKey = (group: ModelGroup) => `new/${group}`

/** Key of the draft in the field of a conversation; one that was never asked has that of a new one. */
export const draftKeyOf = (group: ModelGroup, conversation: ConversationSnapshot | undefined) =>
  conversation === undefined || selectIsUnused(conversation) ? newDraftKey(group) : conversation.context.key

/** Key of the draft that holds the instructions of the next new conversation of a group. */
export const instructionsKey = (group: ModelGroup) => `instructions/${group}`

/** `conversation`: the server's id; absent for one that begins with the next question. */
export type InstructionsDialogProps = {conversation: string | undefined; group: ModelGroup; onClose: () => void}

export type ChangesTarget = {
  list: ConversationListActor
  /** The server's id. */
  conversation: string
}

export type ChatPorts = {
  navigation: {
    href: (location: ChatLocation) => string
    go: (location: ChatLocation, options?: {replace?: boolean}) => void
    /** Any other page of the app. `draftKey`: its field has this draft, also after a reload and by Back and Forward. */
    follow: (href: string, draftKey?: string) => void
    /** The address is that of a comparison already; the chat stays in view while that is loaded. */
    isComparing: () => boolean
  }
  /** Opens the settings of the chat, or the import of conversations. */
  openSettings: (part: 'chat' | 'import') => void
  /** Shows a notice. */
  notify: (textId: MessageId) => void
  /** Opens the dialog in which the user applies for the tool. */
  startSetUp: () => void
  /** Files of unsent messages: they belong to the draft, whatever is on screen, and end with the session. */
  files: DraftFilesPort
  /** Stored per user (expectations §3, composer). */
  drafts: DraftStore
  /** Takes what was typed before the app was there, once. */
  takeEarlyQuestion: () => EarlyQuestion | undefined
  /** The last chosen model of a group. */
  models: {read: (group: ModelGroup) => string | undefined; write: (group: ModelGroup, model: string) => void}
  /** The last shown conversation of a group, by id or key; `undefined` for a new one. Stored per user. */
  lastConversation: {
    read: (group: ModelGroup) => string | undefined
    write: (group: ModelGroup, conversation: string | undefined) => void
    /** Names of the conversations of a comparison that was shown after it; `undefined` where there is none. */
    readCompared: () => readonly string[] | undefined
    writeCompared: (names: readonly string[]) => void
    subscribe: (listener: () => void) => () => void
  }
  /** The colour that each label got when it was first seen. Stored per user. */
  labelColours: {
    read: () => readonly LabelColour[]
    write: (colours: readonly LabelColour[]) => void
  }
  /** The messages of threads and of the model menu. */
  threadWords: PartWords
  /** Offers models with what they take and cost, beside a button or in a sheet. */
  ModelChoice: ComponentType<ModelChoiceProps>
  /** Loads it ahead. Never rejects. */
  loadModelChoice: () => Promise<unknown>
  /** Shows and changes what the answers of one conversation are to follow. */
  InstructionsDialog: ComponentType<InstructionsDialogProps>
  /** Shares a conversation, by the server's id; absent where the back end cannot. */
  ShareDialog: ComponentType<{conversation: string; onClose: () => void}> | undefined
  /** Tells what the answer at this position of a conversation went through: of the one on screen, or the named one. */
  WhatHappened: ComponentType<{index: number; conversation?: string; onClose: () => void}>
  /** How an answer came about, by its message's id; absent where the back end cannot tell. */
  AnswerDetails: ComponentType<{message: string}> | undefined
  /** Starts the voice that reads answers aloud. */
  startVoice: () => Promise<ReadAloudActor>
  /** Starts, or finds, what changes the messages of a conversation. Undefined where the list has ended. */
  openChanges: (target: ChangesTarget) => Promise<MessageChangesActor | undefined>
  /**
   * Starts, or finds, the actor that changes titles and marks of these conversations. The view brings its charts along.
   * Undefined where their session has ended.
   */
  openListChanges: (
    conversations: ConversationListActor,
    charts: {changes: typeof conversationChangesMachine; changing: typeof changingMachine},
  ) => ConversationChangesActor | undefined
  /**
   * Starts, or finds, the offer to take removed questions back, a part of the session under this id. The view brings its
   * chart along. Undefined where the session has ended.
   */
  openRemovals: (
    system: AnyActorRef['system'],
    id: string,
    choose: () => {machine: typeof removedQuestionsMachine; input: undefined},
  ) => RemovedQuestionsActor | undefined
  /**
   * Starts, or finds, the user's saved prompts and instructions, and loads them; undefined if the server keeps none.
   */
  startPrompts: (conversations: ConversationListActor) => Promise<SavedPromptsActor | undefined>
  /** The search of these conversations, started with its first use. Undefined where they have ended. */
  startSearch: (conversations: ConversationListActor) => Promise<SearchIndexActor | undefined>
  /** Starts the export of these conversations; headings of a Markdown file are in these words. */
  startExport: (records: readonly ConversationRecord[], words: ExportWords) => Promise<ConversationExportActor>
  /** Creates a UUID, for conversations and for the idempotency key of a question. */
  newKey: () => string
  /** Unix seconds. */
  now: () => number
  media: MediaPolicy
  /** Starts the worker that colours code. */
  startHighlighting: () => HighlightWorker
}

export type Chat = ChatPorts & {
  actors: ChatActors | undefined
  /** A user is probably signed in and their data is loading: the screen must not say that there is none. */
  isOpening: boolean
}

/** Absent where a shared conversation is read. */
export const ChatContext = createContext<Chat | undefined>(undefined)

/** Provides the chat feature's actors and ports to panel, head and screen. */
export function ChatProvider({chat, children}: {chat: Chat; children: ReactNode}) {
  return (
    <ChatContext value={chat}>
      <MediaPolicyContext value={chat.media}>
        <ShownImages value={shownImagesOf(chat.actors?.conversations ?? chat)}>
          <HighlightWorkerContext value={chat.startHighlighting}>{children}</HighlightWorkerContext>
        </ShownImages>
      </MediaPolicyContext>
    </ChatContext>
  )
}

export function useChat(): Chat {
  const chat = useContext(ChatContext)
  if (chat === undefined) throw new Error('There is no ChatProvider')
  return chat
}
