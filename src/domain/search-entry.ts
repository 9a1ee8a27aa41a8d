import {messageText, stays, type ConversationRecord, type RecordMessage} from './conversation.ts'
import {conversationTitle} from './conversation-title.ts'
import {anchorHere} from './message-anchor.ts'
import type {SearchEntry} from './search-index.ts'
import {unsentName} from './versions.ts'

/** The searched messages of a conversation: those that are shown, then the versions that no server has. */
const searchedMessages = ({messages, unsentVersions = []}: ConversationRecord): readonly RecordMessage[] => [
  ...messages,
  ...unsentVersions.flat(),
]

/** The message of a hit, and the fragment that leads to it on this device. */
export function searchedMessage(record: ConversationRecord, index: number) {
  const message = searchedMessages(record)[index]
  const version = record.unsentVersions?.find((each) => message !== undefined && each.includes(message))
  const isShown = index < record.messages.length
  return {message, anchor: isShown ? anchorHere(record.messages, index) : ((version && unsentName(version)) ?? '')}
}

/** The searched texts of a conversation: not its instructions, nor messages that the user deleted. */
export const searchEntry = (record: ConversationRecord): SearchEntry => ({
  key: record.key,
  title: conversationTitle(record),
  texts: searchedMessages(record).map((message) =>
    message.role === 'system' || !stays(message) ? '' : messageText(message.content),
  ),
  answers: searchedMessages(record).flatMap(({role}, index) => (role === 'assistant' ? [index] : [])),
  updatedAt: record.updatedAt,
})
