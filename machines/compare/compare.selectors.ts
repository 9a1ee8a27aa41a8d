import {messageText, stays, type RecordMessage} from '#domain/conversation.ts'
import type {ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectIsSentOnline} from '#machines/conversation/sent-online.selectors.ts'
import type {ConversationListSnapshot} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectConversation, selectIsGone} from '#machines/conversation-list/conversation-list.selectors.ts'
import {isRunning} from './compare.machine.ts'
import type {ColumnPhase, SeenColumn} from './compare.types.ts'

/** How a conversation stands, in a word. */
function phaseOf(snapshot: ConversationSnapshot): ColumnPhase {
  if (snapshot.matches('stopping')) return 'stopping'
  if (selectIsSentOnline(snapshot)) return 'unsent'
  if (snapshot.hasTag('reconnecting')) return 'reconnecting'
  if (!snapshot.hasTag('settled')) return snapshot.context.exchange?.answer ? 'writing' : 'waiting'
  if (!snapshot.matches('failed')) return 'finished'
  if (snapshot.matches({failed: 'stopped'}))
    return snapshot.context.messages.at(-1)?.unconfirmed === true ? 'unconfirmed' : 'stopped'
  if (snapshot.matches({failed: 'unpaid'})) return 'unpaid'
  return snapshot.matches({failed: 'interrupted'}) ? 'interrupted' : 'refused'
}

function absentPhaseOf(list: ConversationListSnapshot, name: string): ColumnPhase {
  if (list.context.finding.includes(name)) return 'opening'
  if (list.context.absent.includes(name) || selectIsGone(list, name)) return 'gone'
  return list.matches('error') ? 'unread' : 'opening'
}

/**
 * Tells the answer at the end of a conversation from any other: by its id, else by the number of messages and the length
 * of its text. Undefined where the conversation ends with a question.
 */
function answerMarkOf(messages: readonly RecordMessage[]): string | undefined {
  const left = messages.filter(stays)
  const last = left.at(-1)
  return last?.role === 'assistant' ? (last.id ?? `${left.length} ${messageText(last.content).length}`) : undefined
}

/** The column of a conversation, by key or server id, as the list knows it. */
export function columnOf(list: ConversationListSnapshot, name: string): SeenColumn {
  const conversation = selectConversation(list, name)?.getSnapshot()
  if (conversation === undefined) return {name, phase: absentPhaseOf(list, name)}
  const {id, exchange, messages, updatedAt} = conversation.context
  const phase = phaseOf(conversation)
  const answer = isRunning({phase}) ? undefined : answerMarkOf(messages)
  return {
    name,
    phase,
    ...(id === undefined ? {} : {id}),
    ...(answer === undefined ? {} : {answer}),
    ...(exchange === undefined ? {} : {askedAt: updatedAt * 1_000}),
  }
}
