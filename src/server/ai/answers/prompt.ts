import {and, asc, eq, lt} from 'drizzle-orm'
import type {ProviderMessage} from '../../providers/provider.ts'
import type {Transaction} from '../../store/database.ts'
import {conversations, messages} from '../../store/schema/chat.ts'
import {instructions} from '../../store/schema/prompts.ts'
import type {AnswerRow} from './answer-store.ts'

/** The instructions that an answer follows: the user's for every conversation, then those for this one. */
export type Guidance = {instructions: string | undefined; preset: string | null}

/** The messages for a provider: what it is to follow, then the conversation so far without empty answers. */
export function toPrompt(
  {instructions: own, preset}: Guidance,
  history: readonly ProviderMessage[],
): ProviderMessage[] {
  const content = [own, preset].filter(Boolean).join('\n\n')
  const system: ProviderMessage[] = content === '' ? [] : [{role: 'system', content}]
  const turns = history.filter(({content}) => content.length > 0).map(({role, content}) => ({role, content}))
  return [...system, ...turns]
}

export async function instructionsOf(transaction: Transaction, userId: string): Promise<string | undefined> {
  const [row] = await transaction.select().from(instructions).where(eq(instructions.userId, userId))
  return row?.text
}

/** The prompt of an answer that was accepted earlier: the conversation up to the message that is to be answered. */
export async function loadPrompt(
  transaction: Transaction,
  answer: Pick<AnswerRow, 'userId' | 'conversationId' | 'messageId'>,
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
  return toPrompt({preset: target.preset, instructions: await instructionsOf(transaction, answer.userId)}, rows)
}
