import type {Conversation} from '#contract/chat.ts'
import type {AnswerInput} from '#domain/answer.ts'
import {deletesMessages, lastName, stays, type ConversationRecord, type RecordMessage} from '#domain/conversation.ts'
import {
  answerId,
  findAnswer,
  mayBeStored,
  runningMessage,
  settledHistory,
  startExchange,
  type Exchange,
} from '#domain/exchange.ts'
import {pathEnd, questionAnswered, versionReplaced} from '#domain/versions.ts'
import {selectItems} from '#machines/follow-ups/follow-ups.machine.ts'
import type {ConversationContext, TruncateInput} from './conversation.types.ts'

/** The server offers to go on after the last delta, and knows which answer is meant. */
export const mayResume = (context: ConversationContext, exchange: Exchange) =>
  exchange.message !== undefined && context.id !== undefined && context.capabilities.includes('resume')

/** The same question with the same key is the same answer: only where the server says so (security R45). */
export const mayRepeat = (context: ConversationContext, exchange: Exchange) =>
  exchange.key !== '' && exchange.message === undefined && context.capabilities.includes('idempotency')

/** The version that the running exchange replaces. */
export const replacedIn = ({messages}: ConversationContext, exchange: Exchange) => versionReplaced(messages, exchange)

/** The question that the running exchange answers as it stands. */
export const answeredIn = ({messages}: ConversationContext, exchange: Exchange) => questionAnswered(messages, exchange)

/** The server keeps no versions of what the plan replaces. */
const mustCut = ({id, plan, messages}: Pick<ConversationContext, 'id' | 'plan' | 'messages'>) =>
  id !== undefined &&
  plan !== undefined &&
  plan.versions === undefined &&
  !plan.isStanding &&
  mayBeStored(messages.slice(plan.cut))

export const mustTruncate = (context: ConversationContext) =>
  mustCut(context) || (deletesMessages(context.capabilities) && !context.messages.every(stays))

export function truncateInput({id, key, capabilities, ...context}: ConversationContext): TruncateInput {
  const {plan, messages} = context.before ?? context
  return {
    conversation: id ?? key,
    messages,
    cut: mustCut({id, plan, messages}) ? plan?.cut : undefined,
    capabilities,
  }
}

/** Input of the stream port: to ask, or to go on after the last delta. */
export function answerInput(context: ConversationContext): AnswerInput {
  const exchange = context.exchange ?? startExchange({question: '', references: [], key: ''}, context.model)
  return {
    request: mayResume(context, exchange) ? 'resume' : 'ask',
    ...(context.id === undefined ? {preset: context.preset} : {conversation: context.id}),
    model: exchange.model,
    capabilities: context.capabilities,
    versionOf: replacedIn(context, exchange),
    after: pathEnd(context.messages),
    answerTo: answeredIn(context, exchange),
    exchange: {...exchange, message: answerId(exchange)},
  }
}

/** The answer of the present exchange, in a conversation as the server has it. */
export const exchangeAnswer = (context: ConversationContext, conversation: Conversation) =>
  context.exchange &&
  findAnswer(conversation, context.exchange, context.messages, replacedIn(context, context.exchange))

/** Their history goes on where ours ends, or has a path that is not older. */
function isLonger(theirs: readonly RecordMessage[], ours: readonly RecordMessage[]): boolean {
  const name = lastName(ours)
  if (name === undefined || theirs.at(-1)?.role !== 'assistant' || name === lastName(theirs)) return false
  const time = theirs.at(-1)?.created_at ?? 0
  return theirs.some(({id}) => id === name) || (time > 0 && time >= (ours.at(-1)?.created_at ?? 0))
}

/** The model once the server's copy was read: that of an answer which another device was given meanwhile. */
export const modelAfter = ({model, messages, visit}: ConversationContext, record: ConversationRecord) =>
  record.model !== '' && isLonger(record.messages, visit?.chosen ?? messages) ? record.model : model

/** Model of a failed last answer, where the conversation has another. */
export function failedModel({messages, model}: Pick<ConversationRecord, 'messages' | 'model'>) {
  const last = messages.at(-1)
  return last?.state === 'failed' && last.model !== model ? (last.model ?? undefined) : undefined
}

/** The exchange becomes a message of the history; it cannot settle twice. */
export const settle = (
  context: ConversationContext,
  verdict: Parameters<typeof settledHistory>[2],
): Partial<ConversationContext> => {
  const {exchange, model} = context
  if (exchange === undefined) return {}
  const messages = settledHistory(context.messages, exchange, verdict)
  return {messages, exchange: undefined, failedModel: failedModel({messages, model})}
}

/** The conversation as stored: with a running answer, what finds it again, and the questions that wait. */
export function recordOf(context: ConversationContext): ConversationRecord {
  const {key, id, title, model, preset, updatedAt, exchange, visit} = context
  const messages = visit?.chosen ?? context.messages
  const followUps = selectItems(context.followUps.getSnapshot())
  return {
    key,
    ...(id === undefined ? (preset === undefined ? {} : {preset}) : {id}),
    ...(title === undefined ? {} : {title}),
    model,
    messages: exchange === undefined ? messages : [...messages, runningMessage(exchange)],
    ...(followUps.length === 0 ? {} : {followUps}),
    updatedAt,
  }
}
