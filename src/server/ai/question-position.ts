import {desc, eq} from 'drizzle-orm'
import type {ChatRequest} from '#contract/chat-requests.ts'
import {HttpFailure, notFound} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'
import {answers} from '../store/schema/chat.ts'
import {isForgotten, type AnswerRow} from './answers/answer-store.ts'
import {lockConversation, messagesOf, type MessageRow} from './conversations.ts'
import {childrenOf, findNode, lastShownOf, messageNodes, pathTo, showPath, type MessageNode} from './message-tree.ts'

/** `history`: the messages before the question; `asked`: the question itself, if it stands there already. */
export type QuestionPosition = {history: readonly MessageRow[]; asked?: MessageRow | undefined}

/** Messages that only a request for a conversation can name. */
export function requireNoPosition(request: ChatRequest): void {
  for (const field of ['version_of', 'answer_to', 'after'] as const)
    if (request[field] !== undefined) throw notFound(field)
}

/** Finds the position of a question in a conversation; its path is the current one then. */
export async function openPosition(
  transaction: Transaction,
  conversationId: string,
  {version_of: versionOf, answer_to: question, after}: ChatRequest,
): Promise<QuestionPosition> {
  if (after !== undefined) await openPath(transaction, conversationId, after)
  if (versionOf !== undefined) return openVersion(transaction, conversationId, versionOf)
  if (question !== undefined) return openQuestion(transaction, conversationId, question)
  return {history: await messagesOf(transaction, conversationId)}
}

/** Leaves the current path for the one that ends with this message, which the question follows. */
async function openPath(transaction: Transaction, conversationId: string, messageId: string): Promise<void> {
  const nodes = await messageNodes(transaction, conversationId)
  await showPath(transaction, conversationId, pathTo(nodes, findNode(nodes, messageId, 'after').id))
}

/** Leaves the current path for a new version of a message. */
async function openVersion(
  transaction: Transaction,
  conversationId: string,
  messageId: string,
): Promise<QuestionPosition> {
  const nodes = await messageNodes(transaction, conversationId)
  const {role, parentId} = findNode(nodes, messageId, 'version_of')
  await showPath(transaction, conversationId, pathTo(nodes, parentId))
  const history = await messagesOf(transaction, conversationId)
  // where its question was deleted there is nothing to answer again
  return role === 'user' ? {history} : answeredLast(history, 'version_of')
}

/** Leaves the current path for the one that ends with this question. */
async function openQuestion(
  transaction: Transaction,
  conversationId: string,
  messageId: string,
): Promise<QuestionPosition> {
  const nodes = await messageNodes(transaction, conversationId)
  await showPath(transaction, conversationId, pathTo(nodes, findNode(nodes, messageId, 'answer_to').id))
  return answeredLast(await messagesOf(transaction, conversationId), 'answer_to')
}

/** @throws HttpFailure 404 where the last message is no question */
function answeredLast(path: readonly MessageRow[], field: string): QuestionPosition {
  const question = path.at(-1)
  if (question?.role !== 'user') throw notFound(field)
  return {history: path.slice(0, -1), asked: question}
}

/**
 * Finds the answer that a question which is to be answered as it is (`answer_to`) has meanwhile, running or whole:
 * another page asked for it. Beside a failed one another is given.
 *
 * @throws HttpFailure 404 for a conversation or question that is not there, 409 where the history went on without an
 * answer of ours
 */
export async function answerGiven(
  transaction: Transaction,
  userId: string,
  {id, version_of: versionOf, answer_to: questionId}: ChatRequest,
): Promise<AnswerRow | undefined> {
  if (id === undefined || questionId === undefined || versionOf !== undefined) return undefined
  await lockConversation(transaction, userId, id)
  const nodes = await messageNodes(transaction, id)
  const question = findNode(nodes, questionId, 'answer_to')
  if (question.role !== 'user') throw notFound('answer_to')
  const next = nextOf(nodes, question)
  if (next === undefined) return undefined
  const [answer] = await transaction
    .select()
    .from(answers)
    .where(eq(answers.messageId, next.id))
    .orderBy(desc(answers.attempt))
    .limit(1)
  if (answer?.state === 'failed') return undefined
  // a question, or an answer that cannot be streamed: it was copied or imported, or is old
  if (answer === undefined || (await isForgotten(transaction, answer, 0)))
    throw new HttpFailure(409, 'duplication', 'historyGoneOn')
  return answer
}

/**
 * The message that follows a question where it is shown, or was last: what left the current path is no answer that it
 * has.
 */
function nextOf(nodes: readonly MessageNode[], question: MessageNode): MessageNode | undefined {
  const following = childrenOf(nodes, question.id)
  return question.isCurrent ? following.find(({isCurrent}) => isCurrent) : lastShownOf(following)
}
