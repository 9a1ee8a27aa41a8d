import type {ChatMessage, ContentItem, MessageContent} from '#contract/chat.ts'
import type {MessageRow} from './conversations.ts'

/**
 * Whether `given` is the beginning of the stored history: the same roles and contents in the same positions, in either
 * form of an attachment, and the same ids where ids are sent. Other keys of a message are the server's and are not
 * compared. Clients cut a history with it and can do nothing else (contract/chat §4).
 */
export const isPrefixOf = (givenMessages: readonly ChatMessage[], storedMessages: readonly MessageRow[]): boolean =>
  givenMessages.length <= storedMessages.length &&
  givenMessages.every((message, index) => isSameMessage(message, storedMessages[index]))

function isSameMessage(givenMessage: ChatMessage, storedMessage: MessageRow | undefined): boolean {
  if (storedMessage === undefined || givenMessage.role !== storedMessage.role) return false
  if (givenMessage.id != null && givenMessage.id !== storedMessage.id) return false
  // The text of a running answer grows: whatever a client has of it is of it.
  if (storedMessage.state === 'pending' || storedMessage.state === 'answering') return true
  if (isSameContent(givenMessage.content, storedMessage.content)) return true
  return isLongerBroken(givenMessage, storedMessage)
}

/**
 * A broken answer may be longer on either side: after a crash a client keeps deltas that were sent and never stored,
 * and after a stop it does not show deltas that were on their way.
 */
const isLongerBroken = ({content, id}: ChatMessage, storedMessage: MessageRow): boolean =>
  id === storedMessage.id &&
  (storedMessage.outcome === 'interrupted' || storedMessage.outcome === 'stopped') &&
  typeof content === 'string' &&
  typeof storedMessage.content === 'string' &&
  (content.startsWith(storedMessage.content) || storedMessage.content.startsWith(content))

function isSameContent(one: MessageContent, other: MessageContent): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other
  return one.length === other.length && one.every((item, index) => signature(item) === signature(other[index]))
}

function signature(item: ContentItem | undefined): string | undefined {
  if (item === undefined) return undefined
  if (item.type === 'text') return `text ${item.text}`
  const form = item.type === 'image_url' ? item.image_url : item.file_url
  return `${item.type} ${typeof form === 'string' ? form : form.url}`
}
