import {and, asc, eq, inArray, ne, not, sql} from 'drizzle-orm'
import {notFound} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'
import {messages} from '../store/schema/chat.ts'

/*
 * The messages of a conversation are a tree: children of one message are versions of each other, and one path through
 * the tree is current (docs/decisions/0050). Nothing but `remove` deletes a message.
 */

export type MessageNode = Pick<typeof messages.$inferSelect, 'id' | 'parentId' | 'position' | 'isCurrent' | 'role'> & {
  /** When it last left the current path, or was made if it never did. */
  shownUntil: Date
}

/** All messages of a conversation, oldest first. */
export const messageNodes = (transaction: Transaction, conversationId: string): Promise<MessageNode[]> =>
  transaction
    .select({
      id: messages.id,
      parentId: messages.parentId,
      position: messages.position,
      isCurrent: messages.isCurrent,
      role: messages.role,
      shownUntil: sql`coalesce(${messages.hiddenAt}, ${messages.createdAt})`.mapWith(messages.createdAt),
    })
    .from(messages)
    .where(eq(messages.conversationId, conversationId))
    .orderBy(asc(messages.createdAt), asc(messages.position))

/** Rows of one statement: a statement takes at most 65,535 values. */
const rowsAtOnce = 500

/** Stores messages, each after its parent. */
export async function insertMessages(
  transaction: Transaction,
  rows: readonly (typeof messages.$inferInsert)[],
): Promise<void> {
  for (let index = 0; index < rows.length; index += rowsAtOnce)
    await transaction.insert(messages).values(rows.slice(index, index + rowsAtOnce))
}

/** @param field of the request, where it names more than this message */
export function findNode(nodes: readonly MessageNode[], id: string, field?: string): MessageNode {
  const node = nodes.find((each) => each.id === id)
  if (node === undefined) throw notFound(field)
  return node
}

export const versionsOf = (nodes: readonly MessageNode[], {parentId}: MessageNode): MessageNode[] =>
  nodes.filter((each) => each.parentId === parentId)

export const childrenOf = (nodes: readonly MessageNode[], id: string): MessageNode[] =>
  nodes.filter(({parentId}) => parentId === id)

/** From the first message to this one; empty for none. */
export function pathTo(nodes: readonly MessageNode[], id: string | null): MessageNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const path: MessageNode[] = []
  for (let node = byId.get(id ?? ''); node !== undefined; node = byId.get(node.parentId ?? '')) path.unshift(node)
  return path
}

/** One that is current is still shown. */
const byEnd = (one: MessageNode, other: MessageNode) =>
  Number(one.isCurrent) - Number(other.isCurrent) || one.shownUntil.getTime() - other.shownUntil.getTime()

/** The one of these versions that was shown last; a version is shown when it is made (docs/decisions/0209). */
export const lastShownOf = (versions: readonly MessageNode[]): MessageNode | undefined =>
  versions.toSorted(byEnd).at(-1)

/** The messages that follow this one, each in the version that was shown last. */
export function lastShownAfter(nodes: readonly MessageNode[], id: string): MessageNode[] {
  // an imported conversation may be thousands of messages deep; the last of siblings is kept
  const lastShown = new Map(nodes.toSorted(byEnd).map((node) => [node.parentId, node]))
  const path: MessageNode[] = []
  for (let next = lastShown.get(id); next !== undefined; next = lastShown.get(next.id)) path.push(next)
  return path
}

/** From the first message through this one to what was shown last behind it; undefined where it is current. */
export function otherPathThrough(nodes: readonly MessageNode[], id: string): MessageNode[] | undefined {
  if (findNode(nodes, id, 'message').isCurrent) return undefined
  return [...pathTo(nodes, id), ...lastShownAfter(nodes, id)]
}

/** All messages below this one, in every version. */
export function descendantsOf(nodes: readonly MessageNode[], id: string): MessageNode[] {
  const children = new Map<string | null, MessageNode[]>()
  for (const node of nodes) {
    const siblings = children.get(node.parentId)
    if (siblings === undefined) children.set(node.parentId, [node])
    else siblings.push(node)
  }
  const descendants = [...(children.get(id) ?? [])]
  // grows while it is walked, since an imported conversation may be thousands of messages deep
  for (const node of descendants) descendants.push(...(children.get(node.id) ?? []))
  return descendants
}

/** A message leaves the current path. The clock of the statement: the transaction may have waited for another one. */
export const hidden = {isCurrent: false, hiddenAt: sql`clock_timestamp()`}

export const hideAll = (transaction: Transaction, conversationId: string) =>
  transaction
    .update(messages)
    .set(hidden)
    .where(and(eq(messages.conversationId, conversationId), eq(messages.isCurrent, true)))

/** Makes these messages the current path. Hidden first: two messages of one position are never current together. */
export async function showPath(
  transaction: Transaction,
  conversationId: string,
  path: readonly Pick<MessageNode, 'id'>[],
): Promise<void> {
  const ids = path.map(({id}) => id)
  const isOf = eq(messages.conversationId, conversationId)
  const isOn = inArray(messages.id, ids)
  await transaction
    .update(messages)
    .set(hidden)
    .where(and(isOf, eq(messages.isCurrent, true), not(isOn)))
  await transaction
    .update(messages)
    .set({isCurrent: true})
    .where(and(isOf, ne(messages.isCurrent, true), isOn))
}
