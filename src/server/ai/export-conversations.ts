import {and, eq, inArray, isNull} from 'drizzle-orm'
import type {ChatCommand} from '#contract/chat-requests.ts'
import type {ConversationTree} from '#contract/imports.ts'
import type {Identity} from '../auth/identity.ts'
import type {Database} from '../store/database.ts'
import {conversations} from '../store/schema/chat.ts'
import {isOurId, type ConversationRow, type MessageRow} from './conversations.ts'
import {treeRows} from './import-messages.ts'

/** `export`: conversations with all versions of their messages, as `import` takes them. */
export const exportConversations = (
  {database}: {database: Database},
  {userId}: Identity,
  {ids}: Extract<ChatCommand, {action: 'export'}>,
): Promise<{items: ConversationTree[]}> =>
  database.asUser(userId, async (transaction) => {
    const own = ids.filter(isOurId)
    if (own.length === 0) return {items: []}
    const rows = await transaction
      .select()
      .from(conversations)
      .where(and(eq(conversations.userId, userId), inArray(conversations.id, own), isNull(conversations.importLeft)))
    if (rows.length === 0) return {items: []}
    const all = await treeRows(
      transaction,
      rows.map(({id}) => id),
    )
    return {
      items: rows.map((row) =>
        toTree(
          row,
          all.filter(({conversationId}) => conversationId === row.id),
        ),
      ),
    }
  })

function toTree(row: ConversationRow, nodes: readonly MessageRow[]): ConversationTree {
  const places = new Map(nodes.map(({id}, index) => [id, index]))
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
      role: node.role,
      content: node.content,
      parent: places.get(node.parentId ?? '') ?? null,
      created_at: secondsOf(node.createdAt),
      ...(node.role === 'assistant' && {
        state: node.state,
        ...(node.outcome === null ? {} : {outcome: node.outcome}),
        ...(node.error === null ? {} : {error: node.error}),
        ...(node.model === null ? {} : {model: node.model}),
      }),
    })),
  }
}

const secondsOf = (time: Date) => time.getTime() / 1_000
