import type {ChatMessage, ContentItem, MessageContent} from '#contract/chat.ts'
import type {MessageRow} from './conversations.ts'

/**
 * Whether `given` is the beginning of the stored history: the same roles and contents in the same places, in either
 * form of an attachment, and the same ids where ids are sent. Other keys of a message are the server's and are not
 * compared. Clients cut a history with it and can do nothing else (contract/chat §4).
 */
export const isPrefixOf = (given: readonly ChatMessage[], stored: readonly MessageRow[]): boolean =>
  given.length <= stored.length && given.every((message, index) => isSameMessage(message, stored[index]))

function isSameMessage(given: ChatMessage, stored: MessageRow | undefined): boolean {
  if (stored === undefined || given.role !== stored.role) return false
  if (given.id != null && given.id !== stored.id) return false
  // The text of a running answer grows: whatever a client has of it is of it.
  if (stored.state === 'pending' || stored.state === 'answering') return true
  if (isSameContent(given.content, stored.content)) return true
  return isLongerBroken(given, stored)
}

/**
 * A broken answer may be longer on either side: after a crash a client keeps deltas that were sent and never stored, and
 * after a stop it does not show deltas that were on their way.
 */
const isLongerBroken = ({content, id}: ChatMessage, stored: MessageRow): boolean =>
  id === stored.id &&
  (stored.outcome === 'interrupted' || stored.outcome === 'stopped') &&
  typeof content === 'string' &&
  typeof stored.content === 'string' &&
  (content.startsWith(stored.content) || stored.content.startsWith(content))

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
