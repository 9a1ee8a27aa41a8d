import {useSelector} from '@xstate/react'
import {stays} from '#domain/conversation.ts'
import {lastQuestion} from '#domain/exchange.ts'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectAnswerText, selectIsSettled, selectMessages} from '#machines/conversation/conversation.selectors.ts'
import type {AnswerPhase} from './message-view.tsx'

/** Display phase of the running answer. */
function runningPhase(snapshot: ConversationSnapshot): AnswerPhase {
  if (snapshot.hasTag('stopped')) return 'stopping'
  if (snapshot.hasTag('reconnecting')) return 'reconnecting'
  return snapshot.context.exchange?.answer === '' ? 'pending' : 'writing'
}

/** Selects one message of a conversation, or the answer that is being written. */
export function useRow(actor: ConversationActor, index: number) {
  const isRunning = ({context}: ConversationSnapshot) => context.messages[index] === undefined
  return {
    message: useSelector(actor, (snapshot) => selectMessages(snapshot)[index]),
    answer: useSelector(actor, (snapshot) => (isRunning(snapshot) ? selectAnswerText(snapshot) : undefined)),
    running: useSelector(actor, (snapshot) => (isRunning(snapshot) ? runningPhase(snapshot) : undefined)),
    id: useSelector(actor, ({context: {messages, exchange}}) => {
      const settled = messages[index]
      if (settled === undefined) return exchange?.message
      return settled.unsent === true ? undefined : (settled.id ?? undefined)
    }),
    isSettled: useSelector(actor, selectIsSettled),
    /** The last question stays, so that it can be asked again. */
    isAskedAgain: useSelector(actor, ({context: {messages}}) => {
      const question = lastQuestion(messages)
      return question !== undefined && stays(question.message)
    }),
    askedAt: useSelector(actor, ({context: {messages}}) => messages[index - 1]?.created_at),
    sandbox: useSelector(actor, ({context: {messages, exchange}}) => (messages[index] ?? exchange)?.sandbox === true),
  }
}
