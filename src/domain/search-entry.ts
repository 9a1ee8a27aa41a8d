import {messageText, stays, type ConversationRecord, type RecordMessage} from './conversation.ts'
import {conversationTitle} from './conversation-title.ts'
import {anchorHere} from './message-anchor.ts'
import type {SearchEntry} from './search-index.ts'
import {unsentName} from './versions.ts'

type Messages = readonly RecordMessage[]

/** The searched messages: those that are shown, then the versions that no server has, then those that are hidden. */
const searchedMessages = ({messages, unsentVersions = []}: ConversationRecord, hidden: Messages): Messages => [
  ...messages,
  ...unsentVersions.flat(),
  ...hidden,
]

/** The message of a hit, and the fragment that leads to it on this device. */
export function searchedMessage(record: ConversationRecord, index: number, hidden: Messages = []) {
  const message = searchedMessages(record, hidden)[index]
  const version = record.unsentVersions?.find((each) => message !== undefined && each.includes(message))
  const name = version === undefined ? message?.id : unsentName(version)
  return {message, anchor: index < record.messages.length ? anchorHere(record.messages, index) : (name ?? '')}
}

/** The searched texts of a conversation: not its instructions, nor messages that the user deleted. */
export function searchEntry(record: ConversationRecord, hidden: Messages = []): SearchEntry {
  const messages = searchedMessages(record, hidden)
  return {
    key: record.key,
    title: conversationTitle(record),
    texts: messages.map((message) =>
      message.role === 'system' || !stays(message) ? '' : messageText(message.content),
    ),
    answers: messages.flatMap(({role}, index) => (role === 'assistant' ? [index] : [])),
    updatedAt: record.updatedAt,
  }
}
