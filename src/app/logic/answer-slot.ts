import type {Observable} from 'rxjs'
import type {Leadership} from '#browser/leadership.ts'
import {createStreamSlots} from '#browser/stream-slots.ts'
import type {AnswerEvent, AnswerInput} from '#domain/answer.ts'
import type {AnswerStreamEvent} from '#machines/conversation/conversation.types.ts'

const isNamed = ({type}: AnswerEvent) => type === 'answer.started'

/** The stream of an answer in one of the slots of the user; how the answer goes on without one. */
export function inSlot(
  leadership: Leadership,
  userId: string,
  {request, capabilities}: AnswerInput,
  stream$: Observable<AnswerEvent>,
): Observable<AnswerStreamEvent> {
  const isAsked = request === 'ask'
  const canLeave = !isAsked || capabilities.includes('follow')
  const follow = canLeave ? (isAsked ? {isNamed} : {}) : undefined
  return createStreamSlots(leadership)({userId, stream$, follow})
}
