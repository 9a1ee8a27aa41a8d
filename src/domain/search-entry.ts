import {messageText, stays, type ConversationRecord} from './conversation.ts'
import {conversationTitle} from './conversation-title.ts'
import type {SearchEntry} from './search-index.ts'

/** The searched parts of a conversation; its instructions and messages that the user deleted are none. */
export const searchEntry = (record: ConversationRecord): SearchEntry => ({
  key: record.key,
  title: conversationTitle(record),
  texts: record.messages.map((message) =>
    message.role === 'system' || !stays(message) ? '' : messageText(message.content),
  ),
  answers: record.messages.flatMap(({role}, index) => (role === 'assistant' ? [index] : [])),
  updatedAt: record.updatedAt,
})
