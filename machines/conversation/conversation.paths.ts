import type {RecordMessage} from '#domain/conversation.ts'
import {failedModel} from './conversation.rules.ts'
import type {ConversationContext, ConversationEvent} from './conversation.types.ts'

/* The paths of a conversation: one is chosen on the server, and another may be shown (decision 172). */

const shown = (messages: RecordMessage[], {model}: ConversationContext, visit?: ConversationContext['visit']) => ({
  messages,
  visit,
  failedModel: failedModel({messages, model}),
})

/** The path that the server has chosen replaces the one before; a path that is visited stays shown. */
export const withChosen = ({visit}: ConversationContext, messages: RecordMessage[]): Partial<ConversationContext> =>
  visit === undefined ? {messages} : {visit: {...visit, chosen: messages}}

/** The visited path, which replaces another one. */
export const pathShown = (
  context: ConversationContext,
  {message, messages}: Omit<Extract<ConversationEvent, {type: 'path.show'}>, 'type'>,
): Partial<ConversationContext> =>
  shown(messages, context, {message, chosen: context.visit?.chosen ?? context.messages})

/** The path that the server has chosen is shown. */
export const visitEnded = (context: ConversationContext): Partial<ConversationContext> =>
  shown(context.visit?.chosen ?? context.messages, context)
