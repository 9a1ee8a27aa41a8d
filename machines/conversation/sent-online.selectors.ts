import type {ConversationSnapshot} from './conversation.machine.ts'
import {mayRepeat, mustTruncate} from './conversation.rules.ts'

/* A selector of the thread and of compared answers, which are not part of the first screen. */

/** There is no network, and the question that no server has answered yet is sent when there is one again. */
export function selectIsSentOnline(snapshot: ConversationSnapshot): boolean {
  const {exchange, before} = snapshot.context
  if (!snapshot.matches({reconciling: 'offline'}) || exchange?.message !== undefined) return false
  return (
    before !== undefined ||
    mustTruncate(snapshot.context) ||
    (exchange !== undefined && mayRepeat(snapshot.context, exchange))
  )
}
