import type {ChatMessage, ContentItem, Conversation, MessageContent} from '#contract/chat.ts'
import {suffices, type CreditsFact} from './credits.ts'
import {isImageUrl} from './image-extensions.ts'

/**
 * A message as the client stores it. `seq` is the last delta in its text, from which a stream resumes. `unsent` marks a
 * question that no server accepted, and its failure: only our history has it. `unconfirmed`: stopped or given up here,
 * not confirmed by the server. `removing`: deleted here, and not yet on the server; false where that was taken back.
 * `after`: the message that a question was asked behind, where the server had chosen another path. `held`: the running
 * answer to a question that was asked without a network, and that no server has.
 */
export type RecordMessage = ChatMessage & {
  seq?: number
  unsent?: boolean
  unconfirmed?: boolean
  removing?: boolean
  after?: string | undefined
  held?: boolean | undefined
}

/** The server's name of the last message that it has. */
export const lastName = (messages: readonly RecordMessage[]) =>
  messages.findLast(({id, unsent}) => Boolean(id) && unsent !== true)?.id ?? undefined

/** Not deleted by the user, whatever the server knows of it. */
export const stays = ({removing}: RecordMessage) => removing !== true

/** Whether a service deletes single messages (`versions`); one that is not known yet may. */
export const deletesMessages = (capabilities: readonly string[]) =>
  capabilities.length === 0 || capabilities.includes('versions')

/** Bytes of files, by their addresses. */
export type FileSizes = Readonly<Record<string, number | undefined>>

/** A question with its attachments. `key`: idempotency key, made with the click (security R45). */
export type Ask = {
  question: string
  references: string[]
  /** Bytes of its files, as far as they are known. */
  sizes?: FileSizes | undefined
  key: string
  /** Instructions of the conversation that it begins. */
  preset?: string | undefined
}

/**
 * A conversation as the client stores it. `key` is made by the client and never changes; `id` is the server's, absent
 * until the first answer names it. A conversation from the server has its id as key.
 */
export type ConversationRecord = {
  key: string
  id?: string
  model: string
  title?: string
  messages: RecordMessage[]
  /** Versions that no server has, in the order in which they failed; one of them may stand in `messages` as well. */
  unsentVersions?: RecordMessage[][] | undefined
  /** Questions that wait for their turn, in order. */
  followUps?: Ask[]
  /** Its instructions, until the server has them: with its first answer. */
  preset?: string | undefined
  /** Unix seconds. */
  updatedAt: number
  /** The server's revision that this is a copy of; none once the copy was changed here. */
  revision?: string | undefined
} & ConversationMarks

/** The marks of a conversation; a server without the capability `marks` has none. */
export type ConversationMarks = {pinned?: boolean; archived?: boolean; labels?: string[]}

/** A change of marks or title; fields that are absent stay. */
export type ConversationChange = ConversationMarks & {key: string; title?: string | undefined}

/** Marks as a server or an older version gave them: absent, or null. */
type GivenMarks = {[Mark in keyof ConversationMarks]?: ConversationMarks[Mark] | null | undefined}

/** The marks of a conversation as either side names them. */
export const marksOf = ({pinned, archived, labels}: GivenMarks): ConversationMarks => ({
  ...(pinned == null ? {} : {pinned}),
  ...(archived == null ? {} : {archived}),
  ...(labels == null ? {} : {labels}),
})

export const toRecord = (conversation: Conversation, fallbackModel: string): ConversationRecord => ({
  key: conversation.id,
  id: conversation.id,
  model: conversation.model ?? fallbackModel,
  ...(conversation.title ? {title: conversation.title} : {}),
  messages: conversation.messages,
  updatedAt: conversation.updated_at ?? 0,
  revision: conversation.revision ?? undefined,
  ...marksOf(conversation),
})

export const isSameConversation = (a: {key: string; id?: string}, b: {key: string; id?: string}) =>
  a.key === b.key || (a.id !== undefined && a.id === b.id)

/** The words of a question, and its files. */
export type QuestionContent = Pick<Ask, 'question' | 'references' | 'sizes'>

/** The readable text of a message; attachments have none. */
export const messageText = (content: MessageContent) =>
  typeof content === 'string'
    ? content
    : content.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n')

/** Address of an attachment in either form of the wire (contract/chat §1). */
export const attachmentUrl = (form: string | {url: string}) => (typeof form === 'string' ? form : form.url)

/** A message's attachments, in order; both wire forms are read (contract/chat §1). */
export const messageFiles = (content: MessageContent) =>
  typeof content === 'string'
    ? []
    : content.flatMap((item) =>
        item.type === 'text'
          ? []
          : [{url: attachmentUrl(item.type === 'image_url' ? item.image_url : item.file_url), size: item.size}],
      )

/** Urls of a message's attachments, in order. */
export const messageReferences = (content: MessageContent) => messageFiles(content).map(({url}) => url)

/** Files as a question names them. */
export const namedFiles = (files: readonly {url: string; size?: number | undefined}[]) => ({
  references: files.map(({url}) => url),
  ...(files.length > 0 && {sizes: Object.fromEntries(files.map(({url, size}) => [url, size]))}),
})

/** Content of a user's message: plain text, or one text item and one item per reference (contract/chat §4). */
export function userContent({question, references, sizes}: QuestionContent): MessageContent {
  if (references.length === 0) return question
  const items = references.map((url): ContentItem => {
    const size = sizes?.[url]
    return isImageUrl(url) ? {type: 'image_url', image_url: url, size} : {type: 'file_url', file_url: url, size}
  })
  return [{type: 'text', text: question}, ...items]
}

/**
 * Seconds after a refusal for want of credits in which its request goes out by itself once there are some: an hour
 * until the order, the day for which one can be paid at the longest, and an hour for money that comes late.
 */
export const buyingTime = 26 * 60 * 60

/** Whether the last question was lately refused for want of credits, and can go on with these. `at`: unix seconds. */
export const awaitsCredits = (
  {messages, updatedAt}: Pick<ConversationRecord, 'messages' | 'updatedAt'>,
  at: number,
  credits?: CreditsFact,
) => {
  const last = messages.at(-1)
  const waits = last?.unsent === true && last.error?.code === 'used_up' && at - updatedAt < buyingTime
  return waits && (credits === undefined || suffices(last.error, credits))
}

/** Whether a message's state may still change (spec §4): finished and failed never do. */
export const isSettled = (message: ChatMessage) => message.state !== 'pending' && message.state !== 'answering'
