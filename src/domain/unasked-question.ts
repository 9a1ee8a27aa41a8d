import type {Ask, ConversationRecord} from './conversation.ts'
import {settledHistory, startExchange, userMessage} from './exchange.ts'

/**
 * A conversation with a question that no server has heard: it stands there as refused, and can be asked again. `at` in
 * unix seconds.
 */
export function withUnasked(record: ConversationRecord, ask: Ask, at: number): ConversationRecord {
  const question = {...userMessage(ask), created_at: at}
  const exchange = {...startExchange(ask, record.model), at}
  const verdict = {state: 'failed', outcome: 'refused'} as const
  return {
    ...record,
    messages: settledHistory([...record.messages, question], exchange, verdict),
    updatedAt: Math.max(record.updatedAt, at),
  }
}
