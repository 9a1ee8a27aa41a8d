import type {FailureOutcome, MessageState} from '#contract/chat.ts'
import type {ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'

/** The specification's word for the running or last answer; undefined in a new conversation. */
export function stateWord(snapshot: ConversationSnapshot): MessageState | undefined {
  if (snapshot.matches('finished')) return 'finished'
  if (snapshot.matches('failed') || snapshot.hasTag('stopped')) return 'failed'
  if (snapshot.context.exchange === undefined) return undefined
  return snapshot.context.exchange.lastSeq > 0 ? 'answering' : 'pending'
}

export function outcomeWord(snapshot: ConversationSnapshot): FailureOutcome | undefined {
  if (snapshot.hasTag('stopped')) return 'stopped'
  if (snapshot.matches({failed: 'interrupted'})) return 'interrupted'
  if (snapshot.matches({failed: 'refused'})) return 'refused'
  return undefined
}
