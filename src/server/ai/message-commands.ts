import {createHash} from 'node:crypto'
import {eq, inArray, sql} from 'drizzle-orm'
import type {ChatCommand} from '#contract/chat-requests.ts'
import type {Conversation, MessageContent} from '#contract/chat.ts'
import type {Identity} from '../auth/identity.ts'
import {badRequest, HttpFailure, notFound} from '../http/failure.ts'
import {claimKey, requestHashOf} from '../runs/idempotency.ts'
import type {Database, Transaction} from '../store/database.ts'
import {conversations, messages} from '../store/schema/chat.ts'
import {
  lockConversation,
  openAnswers,
  sameTime,
  toConversations,
  type ConversationRow,
  type MessageRow,
} from './conversations.ts'
import {withOwnSizes} from './file-sizes.ts'
import {toContent} from './references.ts'
import {planRemoval, type Removal} from './message-removal.ts'
import {
  descendantsOf,
  findNode,
  hideAll,
  insertMessages,
  lastShownAfter,
  messageNodes,
  otherPathThrough,
  pathTo,
  showPath,
  type MessageNode,
} from './message-tree.ts'

type Command<TAction extends ChatCommand['action']> = Extract<ChatCommand, {action: TAction}>
type MessageCommandDeps = {database: Database; now: () => Date}
type Change = {transaction: Transaction; row: ConversationRow; nodes: MessageNode[]; target: MessageNode}

/** Whether a change leaves a running answer alone. */
type IsFree = (running: readonly MessageNode[], target: MessageNode) => boolean

/** A change of the messages, with which the conversation is the newest of the list. */
const changed = (
  deps: MessageCommandDeps,
  identity: Identity,
  command: {id: string; message: string},
  change: (parts: Change) => Promise<void>,
  isFree?: IsFree,
): Promise<Conversation> =>
  onPath(
    deps,
    identity,
    command,
    async (parts) => {
      await change(parts)
      const facts = {updatedAt: deps.now()}
      await parts.transaction.update(conversations).set(facts).where(eq(conversations.id, parts.row.id))
      return {...parts.row, ...facts}
    },
    isFree,
  )

/**
 * A command on a message that asks nothing (capability `versions`). While an answer runs no path is left: only an order
 * to stop ends it.
 *
 * @param run resolves with the row of the conversation as it is afterwards
 */
const onPath = (
  {database}: MessageCommandDeps,
  {userId}: Identity,
  {id, message}: {id: string; message: string},
  run: (parts: Change) => Promise<ConversationRow>,
  isFree: IsFree = () => false,
): Promise<Conversation> =>
  database.asUser(userId, async (transaction) => {
    const row = await lockConversation(transaction, userId, id)
    const nodes = await messageNodes(transaction, row.id)
    const target = findNode(nodes, message)
    const open = await openAnswers(transaction, row.id)
    const running = nodes.filter(({id}) => open.some(({messageId}) => messageId === id))
    if (running.length > 0 && !isFree(running, target)) throw new HttpFailure(409, 'duplication', 'answering')
    return one(transaction, await run({transaction, row, nodes, target}))
  })

async function one(transaction: Transaction, row: ConversationRow): Promise<Conversation> {
  const [conversation] = await toConversations(transaction, [row])
  if (conversation === undefined) throw notFound()
  return conversation
}

/** `select`: another version of a message, with what was last shown behind it. The conversation's revision alone changes. */
export const selectVersion = (parts: MessageCommandDeps, identity: Identity, command: Command<'select'>) =>
  onPath(parts, identity, command, async ({transaction, row, nodes, target}) => {
    const path = otherPathThrough(nodes, target.id)
    if (path === undefined) return row
    await showPath(transaction, row.id, path)
    await transaction.update(conversations).set(sameTime).where(eq(conversations.id, row.id))
    return row
  })

/** `edit`: the new text is a version of its own, and the messages after the question follow it from now on. */
export const editQuestion = (parts: MessageCommandDeps, identity: Identity, command: Command<'edit'>) =>
  changed(parts, identity, command, async ({transaction, row, nodes, target}) => {
    if (target.role !== 'user') throw badRequest('wrongValue', 'message')
    const {content, position, parentId} = await rowOf(transaction, target)
    await hideAll(transaction, row.id)
    const [newBranch] = await transaction
      .insert(messages)
      .values({
        userId: row.userId,
        conversationId: row.id,
        role: 'user',
        content: await withOwnSizes(transaction, row.userId, withEdit(content, command)),
        position,
        parentId,
        isCurrent: false,
      })
      .returning({id: messages.id})
    if (newBranch === undefined) throw new Error('The database inserted a message and returned none')
    await transaction.update(messages).set({parentId: newBranch.id}).where(eq(messages.parentId, target.id))
    const after = target.isCurrent ? currentAfter(nodes, target) : lastShownAfter(nodes, target.id)
    await showPath(transaction, row.id, [...pathTo(nodes, parentId), newBranch, ...after])
  })

/** `remove`: deletes one message, and the answers of a version of a question that has others (`planRemoval`). */
export const removeMessage = (parts: MessageCommandDeps, identity: Identity, command: Command<'remove'>) =>
  changed(parts, identity, command, remove, isBefore)

/** A message before the question that is being answered. */
const isBefore = (running: readonly MessageNode[], {id}: MessageNode) =>
  running.every((answer) => answer.id !== id && answer.parentId !== id)

async function remove({transaction, row, nodes, target}: Change): Promise<void> {
  const removal = planRemoval(nodes, target)
  const {deleted, moved, behind, path} = removal
  await hideAll(transaction, row.id)
  await transaction
    .update(messages)
    .set({parentId: behind?.id ?? target.parentId})
    .where(inArray(messages.id, idsOf(moved)))
  await moveBehind(transaction, nodes, removal)
  await transaction.delete(messages).where(inArray(messages.id, idsOf(deleted)))
  await showPath(transaction, row.id, path)
}

const idsOf = (nodes: readonly MessageNode[]) => nodes.map(({id}) => id)

/** Positions ascend along a path, with gaps where messages were deleted. */
async function moveBehind(
  transaction: Transaction,
  nodes: readonly MessageNode[],
  {moved, behind}: Removal,
): Promise<void> {
  const first = Math.min(...moved.map(({position}) => position))
  const shift = (behind?.position ?? -1) + 1 - first
  if (shift <= 0) return
  const movedIds = idsOf([...moved, ...moved.flatMap(({id}) => descendantsOf(nodes, id))])
  await transaction
    .update(messages)
    .set({position: sql`${messages.position} + ${shift}`})
    .where(inArray(messages.id, movedIds))
}

/** A branch that was made under a key is found again without a column for it. */
function branchIdOf(userId: string, key: string): string {
  const hex = createHash('sha256').update(`branch ${userId} ${key}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * `branch`: the messages up to this one, or none, as a conversation of its own. The costs stay with the original. The
 * same `key` again is the same branch, as it is now (security R46); the title is not compared, since the original may
 * get another one meanwhile.
 */
export const branchConversation = (
  {database, now}: MessageCommandDeps,
  {userId}: Identity,
  {id, message, model, title}: Command<'branch'>,
  key: string | undefined,
): Promise<{branch: Conversation; isReplay: boolean}> =>
  database.asUser(userId, async (transaction) => {
    const row = await lockConversation(transaction, userId, id)
    const branchId = key === undefined ? crypto.randomUUID() : branchIdOf(userId, key)
    if (key !== undefined) {
      const requestHash = requestHashOf({action: 'branch', id, message, model})
      const isReplay = (await claimKey(transaction, {userId, key, requestHash})) !== undefined
      if (isReplay)
        return {branch: await one(transaction, await lockConversation(transaction, userId, branchId)), isReplay}
    }
    const nodes = await messageNodes(transaction, row.id)
    const path = message === undefined ? [] : pathTo(nodes, findNode(nodes, message).id)
    const storedRows = await rowsOf(transaction, path)
    if (storedRows.some(({state}) => state === 'pending' || state === 'answering'))
      throw new HttpFailure(409, 'duplication', 'answering')
    const {applicationId, preset} = row
    const [copy] = await transaction
      .insert(conversations)
      .values({
        id: branchId,
        userId,
        applicationId,
        model: model ?? row.model,
        preset,
        title: title?.trim() || row.title,
        updatedAt: now(),
      })
      .returning()
    if (copy === undefined) throw new Error('The database inserted a conversation and returned none')
    await copyMessages(transaction, copy, storedRows)
    return {branch: await one(transaction, copy), isReplay: false}
  })

async function copyMessages(transaction: Transaction, {id: conversationId}: ConversationRow, path: MessageRow[]) {
  let parentId: string | null = null
  const copies: (typeof messages.$inferInsert)[] = []
  for (const [position, row] of path.entries()) {
    const id = crypto.randomUUID()
    const copiedFrom = row.copiedFrom ?? row.id
    copies.push({...row, id, conversationId, parentId, copiedFrom, position, isCurrent: true})
    parentId = id
  }
  await insertMessages(transaction, copies)
}

const rowsOf = (transaction: Transaction, path: readonly MessageNode[]): Promise<MessageRow[]> =>
  transaction
    .select()
    .from(messages)
    .where(inArray(messages.id, idsOf(path)))
    .orderBy(messages.position)

async function rowOf(transaction: Transaction, node: MessageNode): Promise<MessageRow> {
  const [row] = await rowsOf(transaction, [node])
  if (row === undefined) throw notFound()
  return row
}

const currentAfter = (nodes: readonly MessageNode[], {position}: MessageNode) =>
  nodes.filter((node) => node.isCurrent && node.position > position)

/** Without others the attachments stay. */
function withEdit(content: MessageContent, {question, references}: Command<'edit'>): MessageContent {
  const text = question.trim()
  if (references !== undefined) return toContent(text, references)
  if (typeof content === 'string') return text
  return [{type: 'text', text}, ...content.filter(({type}) => type !== 'text')]
}
