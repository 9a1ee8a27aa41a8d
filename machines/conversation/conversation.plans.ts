import {messageReferences, messageText, stays, toRecord, type Ask, type RecordMessage} from '#domain/conversation.ts'
import {askOf, lastQuestion, startExchange, userMessage} from '#domain/exchange.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {isSameData} from '#domain/same-data.ts'
import {lastStored, versionsToJoin} from '#domain/versions.ts'
import {recordOf} from './conversation.rules.ts'
import type {Again, ConversationContext, RepeatPosition, Plan, TruncatedConversation} from './conversation.types.ts'

/* Questions on their way. One that replaces a message joins its versions where the server keeps them (decision 50). */

/** The server keeps what is replaced, and has this message. */
const joining = ({id, capabilities}: ConversationContext, message: RecordMessage | undefined) =>
  id !== undefined && message !== undefined && capabilities.includes('versions') ? versionsToJoin(message) : undefined

/** The last question, or that of an earlier answer, to be asked or answered again. */
export function planOfRepeat(
  context: ConversationContext,
  {key, at, model, end}: Again & RepeatPosition,
): Plan | undefined {
  const messages = context.messages.slice(0, end)
  const question = lastQuestion(messages)
  if (question === undefined || !stays(question.message)) return undefined
  const {index, message} = question
  const last = messages.at(-1)
  const ask = {
    ...askOf(message, key),
    at: at ?? message.created_at ?? undefined,
    model: model ?? (end === undefined && last?.state === 'failed' ? context.failedModel : undefined),
  }
  const isStored = message.id != null && message.unsent !== true
  // another page deleted the version that it was to join: it joins one that is left, or is a new question
  const isGone = last?.unsent === true && last.error?.field === 'version_of'
  const remaining = (replacedMessage: RecordMessage | undefined) => {
    const versions = joining(context, replacedMessage)?.slice(0, isGone ? -1 : undefined)
    return versions?.length ? versions : undefined
  }
  const reply = messages[index + 1]
  const answers = isStored ? remaining(reply) : undefined
  // nothing stored answers it: it is answered as it stands, where the server can
  const isUnanswered = isStored && (reply === undefined || reply.unsent === true)
  return answers !== undefined || (isUnanswered && context.capabilities.includes('answer-to'))
    ? {...ask, cut: index + 1, versions: answers, isStanding: true}
    : {...ask, cut: index, versions: isStored ? joining(context, message) : remaining(message)}
}

/** Another text for the question at `index`, or other files. */
export const planOfEdit = (
  context: ConversationContext,
  {index, question, references, sizes, key, at}: Ask & {index: number; at: number},
): Plan => ({question, references, sizes, key, at, cut: index, versions: joining(context, context.messages[index])})

/** Deleted messages are gone from the server, which may show other versions instead: the plan finds its own again. */
export function afterTruncation(
  context: ConversationContext,
  copy: TruncatedConversation,
): Partial<ConversationContext> {
  if (context.before === undefined) return {}
  const {plan, ...before} = context.before
  const {visit} = before
  const merged =
    copy === undefined || isElsewhere(before)
      ? before
      : // the younger copy, whatever the clocks say: what it lacks is deleted
        mergeConversation(recordOf({...context, ...before, exchange: undefined}), {
          ...toRecord(copy, context.model),
          updatedAt: before.updatedAt + 1,
        })
  const messages = merged.messages.filter(stays)
  const question = plan.isStanding ? messages.findIndex(({id}) => id === before.messages[plan.cut - 1]?.id) : -1
  if (question !== -1) {
    const end = question + (messages[question + 1]?.role === 'assistant' ? 2 : 1)
    return {messages, visit, plan: planOfRepeat({...context, messages}, {...plan, end})}
  }
  const replacedMessage = before.messages[plan.cut]
  const cut = messages.findIndex(
    ({id}, index) =>
      messages[index] === replacedMessage ||
      (id != null && (id === replacedMessage?.id || plan.versions?.includes(id) === true)),
  )
  return {messages, visit, plan: {...plan, cut: cut === -1 ? messages.length : cut, isStanding: false}}
}

/** Begins what still waits for deletions; the record keeps those as well. */
export const announcePlan = (context: ConversationContext, plan: Plan): Partial<ConversationContext> => ({
  ...beginPlan(context, plan),
  before: {messages: context.messages, updatedAt: context.updatedAt, visit: context.visit, plan},
})

/** The thread as it was before the question. */
export function rejectPlan({before, ended}: ConversationContext): Partial<ConversationContext> {
  if (before === undefined) return {}
  const {messages, updatedAt, visit, plan} = before
  const {question, references, sizes} = plan
  const content = messages[plan.cut]?.content
  const isThere =
    plan.isStanding === true ||
    (content !== undefined && messageText(content) === question && isSameData(messageReferences(content), references))
  return {
    messages,
    updatedAt,
    visit,
    before: undefined,
    exchange: undefined,
    ended: undefined,
    rejection: ended?.failure && {
      ...(isThere ? {question: '', references: []} : {question, references, sizes}),
      failure: ended.failure,
      index: plan.cut,
    },
  }
}

/** The server has chosen another path than these messages, or had when they were asked behind, in vain. */
const isElsewhere = ({visit, messages}: Pick<ConversationContext, 'visit' | 'messages'>) =>
  visit !== undefined ||
  (messages.at(-1)?.error?.field !== 'after' &&
    messages.some(({unsent, after}) => unsent === true && after !== undefined))

/** The history with the planned question, and its exchange. */
export function beginPlan(context: ConversationContext, plan: Plan): Partial<ConversationContext> {
  const {messages, preset, updatedAt, model, environment} = context
  const {cut, versions, isStanding, at} = plan
  const end = isStanding ? cut - 1 : cut
  // what was deleted there is not forgotten before it is gone
  const history = messages.filter((message, index) => index < end || !stays(message))
  const after = versions === undefined && isElsewhere(context) ? lastStored(history.slice(0, end)) : undefined
  const question = isStanding
    ? messages.slice(end, cut)
    : [{...userMessage(plan), created_at: at, versions, ...(after !== undefined && {after})}]
  return {
    messages: [...history, ...question],
    exchange: {
      ...startExchange(plan, plan.model ?? model),
      at,
      versions: isStanding ? versions : undefined,
      isHeld: !selectIsOnline(environment.getSnapshot()) || undefined,
    },
    preset: plan.preset ?? preset,
    visit: undefined,
    updatedAt: Math.max(updatedAt, at ?? 0),
    plan: undefined,
    before: undefined,
  }
}

/** The server has named the question that it answers. */
export const withQuestionId = (messages: RecordMessage[], id: string | undefined): RecordMessage[] => {
  const last = lastQuestion(messages)
  return id === undefined || last === undefined || last.message.id === id
    ? messages
    : messages.with(last.index, {...last.message, id})
}
