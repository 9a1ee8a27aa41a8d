import {messageText, stays, type ConversationRecord, type RecordMessage} from './conversation.ts'
import {conversationTitle} from './conversation-title.ts'
import {anchorHere} from './message-anchor.ts'
import type {SearchEntry, SearchHit} from './search-index.ts'
import {unsentName} from './versions.ts'

type Messages = readonly RecordMessage[]

/** The searched messages of the record: those that are shown, then the versions that no server has. */
const searchedMessages = ({messages, unsentVersions = []}: ConversationRecord): Messages => [
  ...messages,
  ...unsentVersions.flat(),
]

/** The message of a hit, and the fragment that leads to it on this device. */
export function searchedMessage(record: ConversationRecord, {message: index, hidden}: Omit<SearchHit, 'key'>) {
  if (hidden !== undefined)
    return {message: {id: hidden.id, role: hidden.role, content: hidden.text}, anchor: hidden.id}
  if (index === undefined) return {message: undefined, anchor: ''}
  const message = searchedMessages(record)[index]
  const version = record.unsentVersions?.find((each) => message !== undefined && each.includes(message))
  const name = version === undefined ? message?.id : unsentName(version)
  return {message, anchor: index < record.messages.length ? anchorHere(record.messages, index) : (name ?? '')}
}

/**
 * The searched texts of a conversation: not its instructions, nor messages that the user deleted.
 * @param hidden messages that its path did not have when they were read
 */
export function searchEntry(record: ConversationRecord, hidden: Messages = []): SearchEntry {
  const messages = searchedMessages(record)
  const ids = new Set(messages.map(({id}) => id))
  return {
    key: record.key,
    title: conversationTitle(record),
    texts: messages.map((message) =>
      message.role === 'system' || !stays(message) ? '' : messageText(message.content),
    ),
    answers: messages.flatMap(({role}, index) => (role === 'assistant' ? [index] : [])),
    hidden: hidden.flatMap(({id, role, content}) =>
      id == null || ids.has(id) ? [] : [{id, role, text: messageText(content)}],
    ),
    updatedAt: record.updatedAt,
  }
}
