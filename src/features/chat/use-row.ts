import {shallowEqual, useSelector} from '@xstate/react'
import {useCallback} from 'react'
import {stays} from '#domain/conversation.ts'
import {lastQuestion} from '#domain/exchange.ts'
import {messageAnchor} from '#domain/message-anchor.ts'
import {versionName} from '#domain/version-position.ts'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectAnswerText, selectIsSettled, selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {selectIsSentOnline} from '#machines/conversation/sent-online.selectors.ts'
import {isGrowing, type AnswerPhase} from './answer-text.tsx'
import {goneMessage} from './gone-message.ts'

/** Display phase of the running answer. */
function runningPhase(snapshot: ConversationSnapshot): AnswerPhase {
  if (snapshot.hasTag('stopped')) return 'stopping'
  if (snapshot.hasTag('reconnecting') && !selectIsSentOnline(snapshot)) return 'reconnecting'
  return selectAnswerText(snapshot) === '' ? 'pending' : 'writing'
}

function rowOf(snapshot: ConversationSnapshot, index: number) {
  const {exchange, id: conversation} = snapshot.context
  const messages = selectMessages(snapshot)
  const message = messages[index]
  const running = message === undefined ? runningPhase(snapshot) : undefined
  const question = lastQuestion(messages)
  const isSettled = selectIsSettled(snapshot)
  return {
    message,
    /** Text of a running answer that grows no longer; what grows is selected where it is shown. */
    answer: running === undefined || isGrowing(running) ? undefined : exchange?.answer,
    running,
    id: message === undefined ? exchange?.message : message.unsent === true ? undefined : (message.id ?? undefined),
    /** Its name among its versions. */
    name: versionName(messages, index),
    /** A version that no server has begins with it. */
    isUnsentVersion: message?.unsent === true && message.versions != null,
    conversation,
    anchor: messageAnchor(messages, index),
    isSettled,
    /** The last question stays, so that it can be asked again. */
    isAskedAgain: question !== undefined && stays(question.message),
    /** This answer can be given again, with messages behind it. */
    isAnsweredAgain: isSettled && snapshot.can({type: 'answer.regenerate', key: '', at: 0, end: index + 1}),
    gone: goneMessage(messages, index),
    askedAt: messages[index - 1]?.created_at,
    sandbox: (message ?? exchange)?.sandbox === true,
  }
}

/** Selects one message, or the answer that is written. One subscription: each delta asks all rows. */
export function useRow(actor: ConversationActor, index: number) {
  const select = useCallback((snapshot: ConversationSnapshot) => rowOf(snapshot, index), [index])
  return useSelector(actor, select, shallowEqual)
}
