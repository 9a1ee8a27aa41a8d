import {and, asc, desc, eq, getTableColumns, inArray, isNull, not, or, sql, type SQL} from 'drizzle-orm'
import type {ChatMessage, Conversation, MessageContent} from '#contract/chat.ts'
import type {ConversationPath} from '#contract/conversation-path.ts'
import type {ListAnswer} from '#contract/schema.ts'
import {notFound} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'
import {answers, conversations, messages} from '../store/schema/chat.ts'
import {storedText} from './answers/answer-store.ts'
import {messageNodes, otherPathThrough, type MessageNode} from './message-tree.ts'

export type ConversationRow = typeof conversations.$inferSelect
export type MessageRow = typeof messages.$inferSelect

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Our ids are UUIDs; anything else names nothing here, which is not an error of form. */
export const isOurId = (id: string): boolean => uuidForm.test(id)

/** The user's conversation, locked against other changes; foreign and missing are the same 404 (security R19). */
export async function lockConversation(transaction: Transaction, userId: string, id: string): Promise<ConversationRow> {
  if (!isOurId(id)) throw notFound()
  const [row] = await transaction
    .select()
    .from(conversations)
    .where(and(eq(conversations.id, id), eq(conversations.userId, userId), isNull(conversations.importLeft)))
    .for('update')
  if (row === undefined) throw notFound()
  return row
}

/** The messages of the current path. */
export const messagesOf = (transaction: Transaction, conversationId: string): Promise<MessageRow[]> =>
  transaction
    .select()
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), eq(messages.isCurrent, true)))
    .orderBy(asc(messages.position))

type ConversationFilter = {
  userId: string
  ids: readonly string[] | undefined
  applicationId: string | undefined
}

const conditionsOf = ({userId, ids, applicationId}: ConversationFilter): SQL | undefined =>
  and(
    eq(conversations.userId, userId),
    // the rest of its messages is still on its way
    isNull(conversations.importLeft),
    ids === undefined ? undefined : inArray(conversations.id, ids.filter(isOurId)),
    applicationId === undefined ? undefined : eq(conversations.applicationId, applicationId),
  )

/**
 * The transaction that wrote the row last. Each change of a conversation writes its row, that of a message included; a
 * running answer alone does not, and no client takes its copy of one for the last word. The number before it is that of
 * the form on the wire: with another one clients read all conversations again.
 */
const revision = sql<string>`'1-' || ${conversations}.xmin`

/** A change that leaves the conversation where it is in the list, as another revision. */
export const sameTime = {updatedAt: sql`${conversations.updatedAt}`}

/** The user's conversations, newest first, with all their messages (contract/chat §1). */
export async function listConversations(
  transaction: Transaction,
  filter: ConversationFilter & {limit: number; offset: number},
): Promise<ListAnswer<Conversation>> {
  if (filter.applicationId !== undefined && !isOurId(filter.applicationId)) return {count: 0, items: []}
  const count = await transaction.$count(conversations, conditionsOf(filter))
  const rows = await transaction
    .select({...getTableColumns(conversations), revision})
    .from(conversations)
    .where(conditionsOf(filter))
    .orderBy(desc(conversations.updatedAt), desc(conversations.id))
    .limit(filter.limit)
    .offset(filter.offset)
  const items = await toConversations(transaction, rows)
  // read before the messages: what is changed between the two has another revision
  return {count, items: items.map((item, index) => ({...item, revision: rows[index]?.revision}))}
}

/** One of the user's conversations, on the path through `message`, which stays unchosen where it is not current. */
export async function findConversation(
  transaction: Transaction,
  userId: string,
  {id, message}: {id: string; message?: string | undefined},
): Promise<ConversationPath | undefined> {
  const condition = conditionsOf({userId, ids: [id], applicationId: undefined})
  const [row] = await transaction.select().from(conversations).where(condition)
  if (row === undefined) return undefined
  const otherPath = message === undefined ? undefined : otherPathThrough(await messageNodes(transaction, id), message)
  const [conversation] = await toConversations(transaction, [row], otherPath)
  return conversation && (otherPath === undefined ? conversation : {...conversation, chosen: false})
}

/** The revision of each of the user's conversations by id, the newest first. */
export async function listRevisions(transaction: Transaction, userId: string): Promise<Record<string, string>> {
  const rows = await transaction
    .select({id: conversations.id, revision})
    .from(conversations)
    .where(conditionsOf({userId, ids: undefined, applicationId: undefined}))
    .orderBy(desc(conversations.updatedAt), desc(conversations.id))
  return Object.fromEntries(rows.map((row) => [row.id, row.revision]))
}

/**
 * Rows as they go over the wire, a running answer with the text that is stored so far.
 *
 * @param path of the messages, where it is not the current one
 */
export async function toConversations(
  transaction: Transaction,
  rows: readonly ConversationRow[],
  path?: readonly MessageNode[],
): Promise<Conversation[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({id}) => id)
  const isShown =
    path === undefined
      ? eq(messages.isCurrent, true)
      : inArray(
          messages.id,
          path.map(({id}) => id),
        )
  const allMessages = await transaction
    .select()
    .from(messages)
    .where(and(inArray(messages.conversationId, ids), isShown))
    .orderBy(asc(messages.conversationId), asc(messages.position))
  const versions = await otherVersions(transaction, {ids, isShown, shownRows: allMessages})
  const attempts = await transaction
    .select({id: answers.id, messageId: answers.messageId, attempt: answers.attempt})
    .from(answers)
    .where(inArray(answers.conversationId, ids))
    .orderBy(asc(answers.attempt))
  const newest = new Map(attempts.map((answer) => [answer.messageId, answer]))
  const byConversation = new Map<string, ChatMessage[]>(ids.map((id) => [id, []]))
  for (const row of allMessages) {
    const answer = newest.get(row.id)
    const isRunning = row.state === 'pending' || row.state === 'answering'
    const content = isRunning && answer !== undefined ? await storedText(transaction, answer.id) : row.content
    byConversation.get(row.conversationId)?.push({...toMessage(row, content, answer?.attempt), ...versions(row)})
  }
  return rows.map((row) => ({
    id: row.id,
    model: row.model,
    ...(row.title === null ? {} : {title: row.title}),
    ...(row.preset === null ? {} : {preset: row.preset}),
    messages: byConversation.get(row.id) ?? [],
    updated_at: Math.floor(row.updatedAt.getTime() / 1000),
    pinned: row.isPinned,
    archived: row.isArchived,
    labels: row.labels,
  }))
}

/** Names the versions of each message that has more than one. */
async function otherVersions(
  transaction: Transaction,
  {ids, isShown, shownRows}: {ids: string[]; isShown: SQL; shownRows: readonly MessageRow[]},
) {
  const hiddenRows = await transaction
    .select({
      id: messages.id,
      conversationId: messages.conversationId,
      parentId: messages.parentId,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .where(and(inArray(messages.conversationId, ids), not(isShown)))
    .orderBy(asc(messages.createdAt))
  const allRows = [...hiddenRows, ...shownRows].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  const siblings = new Map<string, string[]>()
  for (const row of hiddenRows.length === 0 ? [] : allRows)
    siblings.set(parentOf(row), [...(siblings.get(parentOf(row)) ?? []), row.id])
  return (row: MessageRow): {versions?: string[]} => {
    const versions = siblings.get(parentOf(row)) ?? []
    return versions.length < 2 ? {} : {versions}
  }
}

/** Messages after one parent are versions of each other. */
const parentOf = ({conversationId, parentId}: Pick<MessageRow, 'conversationId' | 'parentId'>) =>
  parentId ?? conversationId

function toMessage(row: MessageRow, content: MessageContent, attempt: number | undefined): ChatMessage {
  const createdAt = Math.floor(row.createdAt.getTime() / 1000)
  const common = {id: row.id, role: row.role, content, state: row.state, created_at: createdAt}
  if (row.role !== 'assistant') return common
  return {
    ...common,
    ...(row.outcome === null ? {} : {outcome: row.outcome}),
    ...(row.error === null ? {} : {error: row.error}),
    ...(attempt === undefined ? {} : {attempt}),
    ...(row.model === null ? {} : {model: row.model}),
    ...(row.thoughtMs === null ? {} : {thought_ms: row.thoughtMs}),
    ...(row.provider === null ? {} : {provider: row.provider, sandbox: row.provider === 'sandbox'}),
  }
}

/** Answers of the conversation that have not ended, from this position on. */
export const openAnswers = (transaction: Transaction, conversationId: string) =>
  transaction
    .select({id: answers.id, messageId: answers.messageId})
    .from(answers)
    .where(
      and(eq(answers.conversationId, conversationId), or(eq(answers.state, 'pending'), eq(answers.state, 'answering'))),
    )
