import {eq, inArray} from 'drizzle-orm'
import type {ChatCommand} from '#contract/chat-requests.ts'
import type {ChatMessage, Conversation} from '#contract/chat.ts'
import type {ConversationPath} from '#contract/conversation-path.ts'
import type {ListAnswer} from '#contract/schema.ts'
import type {Identity} from '../auth/identity.ts'
import {badRequest, HttpFailure, notFound} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'
import {conversations, messages} from '../store/schema/chat.ts'
import {stopAnswer, type StopParts} from './answers/stop-answer.ts'
import {
  isOurId,
  findConversation,
  listConversations,
  listRevisions,
  lockConversation,
  messagesOf,
  openAnswers,
  sameTime,
  toConversations,
} from './conversations.ts'
import {isPrefixOf} from './history-prefix.ts'
import {hidden} from './message-tree.ts'

type Command<TAction extends ChatCommand['action']> = Extract<ChatCommand, {action: TAction}>

const mostItems = 100

/** `retrieve`: one conversation with the messages of its current path, or of the one through `message`. */
export async function retrieve(
  parts: StopParts,
  {userId}: Identity,
  {id, message}: Command<'retrieve'>,
): Promise<ConversationPath> {
  if (!isOurId(id)) throw notFound()
  const conversation = await parts.database.asUser(userId, (transaction) =>
    findConversation(transaction, userId, {id, message}),
  )
  if (conversation === undefined) throw notFound()
  return conversation
}

/** `retrieve_batch`: ids of other people in the body can only narrow the answer, to nothing (security R19). */
export async function retrieveBatch(
  parts: StopParts,
  identity: Identity,
  command: Command<'retrieve_batch'>,
): Promise<ListAnswer<Conversation>> {
  if (command.user_id !== undefined && command.user_id !== identity.userId) return {count: 0, items: []}
  const filter = {
    userId: identity.userId,
    ids: command.ids,
    applicationId: command.application_id,
    limit: command.limit ?? mostItems,
    offset: command.offset ?? 0,
  }
  return parts.database.asUser(identity.userId, (transaction) => listConversations(transaction, filter))
}

/** `revisions`: what a client compares with the copies that it keeps. */
export const revisions = (parts: StopParts, {userId}: Identity): Promise<{revisions: Record<string, string>}> =>
  parts.database.asUser(userId, async (transaction) => ({revisions: await listRevisions(transaction, userId)}))

/**
 * `update`: a new title, another model, other instructions, or a history cut to the prefix that is sent (edit and
 * regenerate). A running answer that is cut off is stopped and paid first. The cut messages stay as an older version of
 * the next question.
 */
export async function update(parts: StopParts, identity: Identity, command: Command<'update'>): Promise<Conversation> {
  const {userId} = identity
  const {id, title, model, preset, messages: keptMessages, last} = command
  if (keptMessages !== undefined) await stopCut(parts, userId, id, {kept: keptMessages, last})
  return parts.database.asUser(userId, async (transaction) => {
    const row = await lockConversation(transaction, userId, id)
    if (keptMessages !== undefined) {
      const cutMessages = await beyond(transaction, id, {kept: keptMessages, last})
      await requireEnded(transaction, id, cutMessages)
      await transaction.update(messages).set(hidden).where(inArray(messages.id, cutMessages))
    }
    const changes = {
      ...(title === undefined ? {} : {title: title === '' ? null : title}),
      ...(model === undefined ? {} : {model}),
      ...(preset === undefined ? {} : {preset: preset.trim() || null}),
    }
    await transaction
      .update(conversations)
      .set({...changes, ...sameTime})
      .where(eq(conversations.id, id))
    const [conversation] = await toConversations(transaction, [{...row, ...changes}])
    if (conversation === undefined) throw notFound()
    return conversation
  })
}

/** `delete`: the conversation with its messages and answers; a running answer is stopped and paid first. */
export async function remove(parts: StopParts, identity: Identity, {id}: Command<'delete'>): Promise<Conversation> {
  const {userId} = identity
  await stopCut(parts, userId, id, {kept: []})
  return parts.database.asUser(userId, async (transaction) => {
    const row = await lockConversation(transaction, userId, id)
    await requireEnded(transaction, id, await beyond(transaction, id, {kept: []}))
    const [conversation] = await toConversations(transaction, [row])
    await transaction.delete(conversations).where(eq(conversations.id, id))
    if (conversation === undefined) throw notFound()
    return conversation
  })
}

/**
 * `delete_batch`: in sequence, since each conversation may have an answer to stop. Answers with the deleted ids; the
 * first refusal ends it, and is the answer if nothing was deleted.
 */
export async function removeBatch(
  parts: StopParts,
  identity: Identity,
  {ids}: Command<'delete_batch'>,
): Promise<{items: string[]}> {
  const removedIds: string[] = []
  for (const id of new Set(ids)) {
    try {
      await remove(parts, identity, {action: 'delete', id})
    } catch (error) {
      // gone already: another tab was faster
      const isGone = error instanceof HttpFailure && error.status === 404
      if (!isGone && removedIds.length === 0) throw error
      if (!isGone) break
    }
    removedIds.push(id)
  }
  return {items: removedIds}
}

/** The messages that stay, and the newest of the removed ones that the client knows. */
type RequestedCut = {kept: readonly ChatMessage[]; last?: string | undefined}

/**
 * Ids of the messages behind the kept beginning. Throws before any change if the kept messages are not a beginning, or
 * if the history continues after the last message that the client has.
 */
async function beyond(transaction: Transaction, conversationId: string, {kept, last}: RequestedCut): Promise<string[]> {
  const storedMessages = await messagesOf(transaction, conversationId)
  if (last !== undefined && storedMessages.at(-1)?.id !== last)
    throw new HttpFailure(409, 'duplication', 'historyGoneOn')
  if (!isPrefixOf(kept, storedMessages)) throw badRequest('historyCut', 'messages')
  return storedMessages.slice(kept.length).map(({id}) => id)
}

async function stopCut(parts: StopParts, userId: string, id: string, request: RequestedCut): Promise<void> {
  const open = await parts.database.asUser(userId, async (transaction) => {
    await lockConversation(transaction, userId, id)
    const cutMessages = await beyond(transaction, id, request)
    return (await openAnswers(transaction, id)).filter(({messageId}) => cutMessages.includes(messageId))
  })
  for (const {id: answerId} of open) await stopAnswer(parts, {answerId, userId})
}

/** An answer that was begun after the stop would lose its hold with its row: then the caller tries again. */
async function requireEnded(
  transaction: Transaction,
  conversationId: string,
  cutMessages: readonly string[],
): Promise<void> {
  const open = await openAnswers(transaction, conversationId)
  if (open.some(({messageId}) => cutMessages.includes(messageId))) throw new HttpFailure(409, 'busy', 'answering')
}
