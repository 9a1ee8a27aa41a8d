import {and, asc, eq, lt} from 'drizzle-orm'
import type {ProviderMessage} from '../../providers/provider.ts'
import type {Transaction} from '../../store/database.ts'
import {conversations, messages} from '../../store/schema/chat.ts'
import type {AnswerRow} from './answer-store.ts'

/** The messages for a provider: the preset, then the conversation so far without empty answers. */
export function toPrompt(preset: string | null | undefined, history: readonly ProviderMessage[]): ProviderMessage[] {
  const system: ProviderMessage[] = preset ? [{role: 'system', content: preset}] : []
  const turns = history.filter(({content}) => content.length > 0).map(({role, content}) => ({role, content}))
  return [...system, ...turns]
}

/** The prompt of an answer that was accepted earlier: the conversation up to the message that is to be answered. */
export async function loadPrompt(
  transaction: Transaction,
  answer: Pick<AnswerRow, 'conversationId' | 'messageId'>,
): Promise<ProviderMessage[]> {
  const [target] = await transaction
    .select({position: messages.position, preset: conversations.preset})
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(eq(messages.id, answer.messageId))
  if (target === undefined) return []
  const rows = await transaction
    .select({role: messages.role, content: messages.content})
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, answer.conversationId),
        eq(messages.isCurrent, true),
        lt(messages.position, target.position),
      ),
    )
    .orderBy(asc(messages.position))
  return toPrompt(target.preset, rows)
}
