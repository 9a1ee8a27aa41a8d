import {and, asc, eq, inArray, sql} from 'drizzle-orm'
import type {ChatCommand} from '#contract/chat-requests.ts'
import {mostLabels} from '#contract/chat.ts'
import type {Identity} from '../auth/identity.ts'
import type {Transaction} from '../store/database.ts'
import {conversations} from '../store/schema/chat.ts'
import type {StopParts} from './answers/stop-answer.ts'
import {isOurId} from './conversations.ts'

type Step = Extract<ChatCommand, {action: 'label'}>['items'][number]

/** Two spellings of a label are one. */
const namesOf = (labels: readonly string[] = []) =>
  sql`${sql.param([...new Set(labels.map((label) => label.trim().normalize('NFC')))])}::text[]`

async function labelSome(transaction: Transaction, userId: string, {ids, on, off}: Step): Promise<string[]> {
  const own = and(inArray(conversations.id, ids.filter(isOurId)), eq(conversations.userId, userId))
  // in one order, so that two of them never wait for each other
  await transaction
    .select({id: conversations.id})
    .from(conversations)
    .where(own)
    .orderBy(asc(conversations.id))
    .for('update')
  const stays = sql`array(
    select own.label from unnest(${conversations.labels}) with ordinality as own(label, place)
    where own.label <> all(${namesOf(off)}) order by own.place)`
  const comes = sql`array(
    select new.label from unnest(${namesOf(on)}) with ordinality as new(label, place)
    where new.label <> all(${stays}) order by new.place)`
  const next = sql`(${stays} || ${comes})`
  const rows = await transaction
    .update(conversations)
    .set({labels: next})
    .where(and(own, sql`cardinality(${next}) <= ${mostLabels}`))
    .returning({id: conversations.id})
  return rows.map(({id}) => id)
}

/** `label`: a label renamed, deleted or given back in all conversations. Their times stay, as for `mark`. */
export const labelConversations = (
  {database}: StopParts,
  {userId}: Identity,
  {items}: Extract<ChatCommand, {action: 'label'}>,
): Promise<{items: string[]}> =>
  database.asUser(userId, async (transaction) => {
    const labelledIds = new Set<string>()
    for (const step of items) for (const id of await labelSome(transaction, userId, step)) labelledIds.add(id)
    return {items: [...labelledIds]}
  })
