import type {Ask, ConversationRecord} from '#domain/conversation.ts'
import {withUnasked} from '#domain/unasked-question.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'

/**
 * Asks in a conversation that the list does not have yet, on screen or not. The question stands there before it is
 * sent, so that it is lost neither with the page nor with a refusal. `at` in unix seconds.
 */
export function askIn(list: ConversationListActor, record: ConversationRecord, ask: Ask, at: number): void {
  list.send({type: 'conversation.loaded', record: withUnasked(record, ask, at)})
  list.send({type: 'conversation.retry', key: record.key, requestKey: ask.key, at})
}
