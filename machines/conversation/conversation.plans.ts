import {stays, toRecord, type RecordMessage} from '#domain/conversation.ts'
import {askOf, lastQuestion, startExchange, userMessage} from '#domain/exchange.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {versionsToJoin} from '#domain/versions.ts'
import {recordOf} from './conversation.rules.ts'
import type {ConversationContext, Plan, Repeat, TruncatedConversation} from './conversation.types.ts'

/* Questions on their way. One that replaces a message joins its versions where the server keeps them (decision 50). */

/** The server keeps what is replaced, and has this message. */
const joining = ({id, capabilities}: ConversationContext, message: RecordMessage | undefined) =>
  id !== undefined && message !== undefined && capabilities.includes('versions') ? versionsToJoin(message) : undefined

/** The last question, to be asked or answered again. */
export function planOfRepeat(context: ConversationContext, {key, at, model}: Repeat): Plan | undefined {
  const question = lastQuestion(context.messages)
  if (question === undefined) return undefined
  const {index} = question
  const message = context.messages[index]
  const ask = {...askOf(question.message, key), at, model}
  const isStored = message?.id != null && message.unsent !== true
  const answers = isStored ? joining(context, context.messages[index + 1]) : undefined
  return answers === undefined
    ? {...ask, cut: index, versions: joining(context, message)}
    : {...ask, cut: index + 1, versions: answers, isStanding: true}
}

/** Another text for the question at `index`; its attachments stay. */
export function planOfEdit(
  context: ConversationContext,
  {index, question, key, at}: {index: number; question: string; key: string; at: number},
): Plan {
  const edited = context.messages[index]
  const references = edited ? askOf(edited, key).references : []
  return {question, references, key, at, cut: index, versions: edited && joining(context, edited)}
}

/** Deleted messages are gone from the server, which may show other versions in their place: the plan finds its own again. */
export function afterTruncation(
  context: ConversationContext,
  copy: TruncatedConversation,
): Partial<ConversationContext> {
  const {plan, model, updatedAt} = context
  const merged =
    copy === undefined
      ? context
      : // the younger copy, whatever the clocks say: what it lacks is deleted
        mergeConversation(recordOf(context), {...toRecord(copy, model), updatedAt: updatedAt + 1})
  const messages = merged.messages.filter(stays)
  if (plan === undefined) return {messages}
  if (plan.isStanding) return {messages, plan: planOfRepeat({...context, messages}, plan) ?? plan}
  const replaced = context.messages[plan.cut]
  const cut = messages.findIndex(
    (message) => message === replaced || (message.id != null && message.id === replaced?.id),
  )
  return {messages, plan: {...plan, cut: cut === -1 ? messages.length : cut}}
}

/** The history with the planned question, and its exchange. */
export function beginPlan({messages, preset}: ConversationContext, plan: Plan): Partial<ConversationContext> {
  const {cut, versions, isStanding, at} = plan
  const history = messages.slice(0, cut)
  return {
    messages: isStanding
      ? history
      : [...history, {...userMessage(plan), created_at: at, ...(versions === undefined ? {} : {versions})}],
    exchange: {...startExchange(plan), at, model: plan.model, ...(isStanding ? {versions} : {})},
    preset: plan.preset ?? preset,
    updatedAt: at,
    plan: undefined,
  }
}

/** The server has named the question that it answers. */
export const withQuestionId = (messages: RecordMessage[], id: string | undefined): RecordMessage[] => {
  const last = lastQuestion(messages)
  return id === undefined || last === undefined || last.message.id === id
    ? messages
    : messages.with(last.index, {...last.message, id})
}
