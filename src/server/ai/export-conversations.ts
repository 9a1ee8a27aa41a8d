import {and, eq, inArray, isNull, sql} from 'drizzle-orm'
import type {ChatCommand} from '#contract/chat-requests.ts'
import type {ConversationTree} from '#contract/imports.ts'
import type {Identity} from '../auth/identity.ts'
import type {Database, Transaction} from '../store/database.ts'
import {answers, conversations, messages} from '../store/schema/chat.ts'
import {storedText} from './answers/answer-store.ts'
import {isOurId, type ConversationRow, type MessageRow} from './conversations.ts'
import {treeRows} from './import-messages.ts'

/** Bytes of text in one answer. A longer conversation has an answer of its own. */
const mostExportBytes = 16 * 1024 * 1024

/**
 * `export`: conversations with all versions of their messages, as `import` takes them. In the order of `ids`, as many
 * as one answer holds: who lacks some asks for them again.
 */
export const exportConversations = (
  {database}: {database: Database},
  {userId}: Identity,
  {ids}: Extract<ChatCommand, {action: 'export'}>,
  mostBytes = mostExportBytes,
): Promise<{items: ConversationTree[]}> =>
  database.asUser(userId, async (transaction) => {
    const own = ids.filter(isOurId)
    if (own.length === 0) return {items: []}
    const conversationRows = await transaction
      .select()
      .from(conversations)
      .where(and(eq(conversations.userId, userId), inArray(conversations.id, own), isNull(conversations.importLeft)))
    const sortedRows = conversationRows.toSorted((a, b) => own.indexOf(a.id) - own.indexOf(b.id))
    const rows = await fitting(transaction, sortedRows, mostBytes)
    if (rows.length === 0) return {items: []}
    const rowIds = rows.map(({id}) => id)
    const all = await withTextSoFar(transaction, rowIds, await treeRows(transaction, rowIds))
    return {
      items: rows.map((row) =>
        toTree(
          row,
          all.filter(({conversationId}) => conversationId === row.id),
        ),
      ),
    }
  })

/** Running answers with the text that is stored so far: their messages get it when they end. */
async function withTextSoFar(
  transaction: Transaction,
  conversationIds: string[],
  nodes: readonly MessageRow[],
): Promise<readonly MessageRow[]> {
  if (!nodes.some(isRunning)) return nodes
  const runs = await transaction
    .select({id: answers.id, messageId: answers.messageId})
    .from(answers)
    .where(and(inArray(answers.conversationId, conversationIds), inArray(answers.state, ['pending', 'answering'])))
  const texts = new Map<string, string>()
  for (const {id, messageId} of runs) texts.set(messageId, await storedText(transaction, id))
  return nodes.map((node) => ({...node, content: texts.get(node.id) ?? node.content}))
}

const isRunning = ({state}: MessageRow) => state === 'pending' || state === 'answering'

/** As many of the first items as fit into this size, one at least. */
async function fitting(
  transaction: Transaction,
  rows: readonly ConversationRow[],
  mostBytes: number,
): Promise<ConversationRow[]> {
  if (rows.length === 0) return []
  const sizes = await transaction
    .select({id: messages.conversationId, bytes: sql`sum(octet_length(${messages.content}::text))`.mapWith(Number)})
    .from(messages)
    .where(
      inArray(
        messages.conversationId,
        rows.map(({id}) => id),
      ),
    )
    .groupBy(messages.conversationId)
  const sizeOf = new Map(sizes.map(({id, bytes}) => [id, bytes]))
  let total = 0
  return rows.filter(({id}, index) => {
    total += sizeOf.get(id) ?? 0
    return index === 0 || total <= mostBytes
  })
}

function toTree(row: ConversationRow, nodes: readonly MessageRow[]): ConversationTree {
  const indices = new Map(nodes.map(({id}, index) => [id, index]))
  const current = nodes.findLastIndex(({isCurrent}) => isCurrent)
  return {
    id: row.id,
    ...(row.title === null ? {} : {title: row.title}),
    model: row.model,
    ...(row.preset === null ? {} : {preset: row.preset}),
    created_at: secondsOf(row.createdAt),
    updated_at: secondsOf(row.updatedAt),
    pinned: row.isPinned,
    archived: row.isArchived,
    labels: row.labels,
    ...(current < 0 ? {} : {current}),
    messages: nodes.map((node) => ({
      id: node.id,
      role: node.role,
      content: node.content,
      parent: indices.get(node.parentId ?? '') ?? null,
      created_at: secondsOf(node.createdAt),
      ...(node.isCurrent || node.hiddenAt === null ? {} : {hidden_at: secondsOf(node.hiddenAt)}),
      ...(node.role === 'assistant' && {
        state: node.state,
        ...(node.outcome === null ? {} : {outcome: node.outcome}),
        ...(node.error === null ? {} : {error: node.error}),
        ...(node.model === null ? {} : {model: node.model}),
        ...(node.provider === 'sandbox' && {sandbox: true}),
        ...(node.thoughtMs === null ? {} : {thought_ms: node.thoughtMs}),
      }),
    })),
  }
}

const secondsOf = (time: Date) => time.getTime() / 1_000
