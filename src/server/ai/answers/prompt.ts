import {and, asc, eq, lt} from 'drizzle-orm'
import type {ProviderMessage} from '../../providers/provider.ts'
import type {Transaction} from '../../store/database.ts'
import {conversations, messages} from '../../store/schema.ts'
import type {AnswerRow} from './answer-store.ts'

/** What a provider is asked: the preset, then the conversation up to the message that is to be answered. */
export async function loadPrompt(
  transaction: Transaction,
  answer: Pick<AnswerRow, 'conversationId' | 'messageId'>,
): Promise<ProviderMessage[]> {
  const [conversation] = await transaction
    .select({preset: conversations.preset})
    .from(conversations)
    .where(eq(conversations.id, answer.conversationId))
  const [target] = await transaction
    .select({position: messages.position})
    .from(messages)
    .where(eq(messages.id, answer.messageId))
  if (target === undefined) return []
  const rows = await transaction
    .select({role: messages.role, content: messages.content})
    .from(messages)
    .where(and(eq(messages.conversationId, answer.conversationId), lt(messages.position, target.position)))
    .orderBy(asc(messages.position))
  const preset = conversation?.preset
  const system: ProviderMessage[] = preset ? [{role: 'system', content: preset}] : []
  return [...system, ...rows.filter(({content}) => content.length > 0)]
}
