import {eq, inArray} from 'drizzle-orm'
import type {ContentItem, MessageContent} from '#contract/chat.ts'
import type {ImportedConversation, ImportedMessage} from '#contract/import-requests.ts'
import {badRequest} from '../http/failure.ts'
import {namedUuid} from '../platform/named-uuid.ts'
import type {Transaction} from '../store/database.ts'
import {messages} from '../store/schema/chat.ts'
import type {ConversationRow} from './conversations.ts'
import {withFileSizes} from './file-sizes.ts'
import {insertMessages, messageNodes, pathTo, showPath} from './message-tree.ts'
import {isAddress} from './references.ts'

/** The id of the message with this index, so that a later part finds the messages of an earlier one. */
const idAt = (conversationId: string, index: number) => namedUuid(`${conversationId}/${index}`)

type StoredMessage = Pick<typeof messages.$inferSelect, 'parentId' | 'position' | 'createdAt'>

/**
 * Stores the messages of a file as a tree. A parent precedes its children, so there is no circle. All are hidden at
 * first (`showImported`). Versions keep the order of the file, even if their times contradict it.
 */
export async function insertImported(
  transaction: Transaction,
  {id: conversationId, userId, createdAt}: Pick<ConversationRow, 'id' | 'userId' | 'createdAt'>,
  {from, messages: sentMessages}: ImportedConversation,
  now: Date,
): Promise<void> {
  const storedMessages = await storedOf(transaction, conversationId, from)
  const newest = new Map<string | null, number>()
  for (const row of storedMessages.values())
    newest.set(row.parentId, Math.max(newest.get(row.parentId) ?? 0, row.createdAt.getTime()))
  const contents = await withFileSizes(
    transaction,
    userId,
    sentMessages.map(({content}, offset) => contentOf(content, `messages.${offset}`)),
  )
  const rows = sentMessages.map((message, offset) => {
    const index = from + offset
    const {parent} = message
    if (parent !== null && parent >= index) throw badRequest('importParent', `messages.${offset}.parent`)
    const parentId = parent === null ? null : idAt(conversationId, parent)
    const before = parentId === null ? undefined : storedMessages.get(parentId)
    const statedTime = message.created_at === undefined ? createdAt.getTime() : message.created_at * 1_000
    const time = Math.max(Math.min(statedTime, now.getTime()), (newest.get(parentId) ?? 0) + 1)
    newest.set(parentId, time)
    const row = {
      ...valuesOf(message),
      content: contents[offset] ?? '',
      id: idAt(conversationId, index),
      userId,
      conversationId,
      parentId,
      isCurrent: false,
      position: (before?.position ?? -1) + 1,
      createdAt: new Date(time),
      ...(message.hidden_at !== undefined && {hiddenAt: new Date(Math.min(message.hidden_at * 1_000, now.getTime()))}),
    }
    storedMessages.set(row.id, row)
    return row
  })
  await insertMessages(transaction, rows)
}

async function storedOf(
  transaction: Transaction,
  conversationId: string,
  from: number,
): Promise<Map<string, StoredMessage>> {
  if (from === 0) return new Map()
  const rows = await transaction
    .select({
      id: messages.id,
      parentId: messages.parentId,
      position: messages.position,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .where(eq(messages.conversationId, conversationId))
  return new Map(rows.map(({id, ...row}) => [id, row]))
}

const valuesOf = ({role, state, outcome, error, model, sandbox, thought_ms: thoughtMs}: ImportedMessage) => ({
  role,
  ...(role === 'assistant' && {
    ...(state === undefined ? {} : {state}),
    ...(outcome === undefined ? {} : {outcome}),
    ...(error === undefined
      ? {}
      : {error: error.message === undefined ? {code: error.code} : {code: error.code, message: error.message}}),
    ...(model === undefined ? {} : {model}),
    // a demonstration stays one
    ...(sandbox === true && {provider: 'sandbox'}),
    ...(thoughtMs === undefined ? {} : {thoughtMs}),
  }),
})

/** Addresses are those of questions: http(s) or paths of our own, never fetched here. */
function contentOf(content: ImportedMessage['content'], field: string): MessageContent {
  if (typeof content === 'string') return content
  return content.map((item, index): ContentItem => {
    const address = item.type === 'image_url' ? item.image_url : item.type === 'file_url' ? item.file_url : undefined
    if (address !== undefined && !isAddress(address)) throw badRequest('fieldAddress', `${field}.content.${index}`)
    return item
  })
}

/** Shows the path to the message with this index, else to the last one that came. */
export async function showImported(transaction: Transaction, conversationId: string, current: number | undefined) {
  const nodes = await messageNodes(transaction, conversationId)
  const last = current ?? nodes.length - 1
  if (last >= nodes.length) throw badRequest('importParent', 'current')
  await showPath(transaction, conversationId, pathTo(nodes, idAt(conversationId, last)))
}

/** All messages of conversations, each after the one before it. */
export const treeRows = (transaction: Transaction, conversationIds: readonly string[]) =>
  transaction
    .select()
    .from(messages)
    .where(inArray(messages.conversationId, [...conversationIds]))
    .orderBy(messages.position, messages.createdAt)
