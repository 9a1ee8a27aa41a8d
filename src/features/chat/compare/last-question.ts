import {messageText, stays} from '#domain/conversation.ts'
import type {Column} from '#machines/compare/compare.types.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import type {ConversationListSnapshot} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'

/** Text of the newest question of these columns: one that takes no files is left out of some questions. Empty: none. */
export function lastAsked(list: ConversationListSnapshot, columns: readonly Column[]): string {
  const questions = columns.flatMap(({name}) => {
    const actor = selectConversation(list, name)
    const messages = actor === undefined ? [] : selectMessages(actor.getSnapshot())
    return messages.findLast((message) => message.role === 'user' && stays(message)) ?? []
  })
  const [first, ...others] = questions
  if (first === undefined) return ''
  const newest = others.reduce((last, next) => ((next.created_at ?? 0) > (last.created_at ?? 0) ? next : last), first)
  return messageText(newest.content)
}
