import type {RecordMessage} from '#domain/conversation.ts'
import {askOf, lastQuestion, startExchange, userMessage} from '#domain/exchange.ts'
import {versionsToJoin} from '#domain/versions.ts'
import type {ConversationContext, Plan} from './conversation.types.ts'

/* Questions on their way. One that replaces a message joins its versions where the server keeps them (decision 50). */

/** The server keeps what is replaced, and has this message. */
const joining = ({id, capabilities}: ConversationContext, message: RecordMessage | undefined) =>
  id !== undefined && message !== undefined && capabilities.includes('versions') ? versionsToJoin(message) : undefined

/** The last question, to be asked or answered again. */
export function planOfRepeat(context: ConversationContext, key: string, at: number): Plan | undefined {
  const question = lastQuestion(context.messages)
  if (question === undefined) return undefined
  const {index} = question
  const message = context.messages[index]
  const ask = {...askOf(question.message, key), at}
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

/** The history with the planned question, and its exchange. */
export function beginPlan({messages, preset}: ConversationContext, plan: Plan): Partial<ConversationContext> {
  const {cut, versions, isStanding, at} = plan
  const history = messages.slice(0, cut)
  return {
    messages: isStanding
      ? history
      : [...history, {...userMessage(plan), ...(versions === undefined ? {} : {versions})}],
    exchange: {...startExchange(plan), ...(isStanding ? {versions} : {})},
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
