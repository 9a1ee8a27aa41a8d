import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import type {ChatRequest} from '#contract/chat-requests.ts'
import {chatServiceId, type MessageContent} from '#contract/chat.ts'
import type {Identity} from '../auth/identity.ts'
import type {ProvidersConfig} from '../config.ts'
import {isDatabaseAway} from '../http/boundary.ts'
import {badRequest, HttpFailure, notFound} from '../http/failure.ts'
import {holdCredits} from '../ledger/ledger.ts'
import type {Provider} from '../providers/provider.ts'
import {mostRequests, type Database, type Transaction} from '../store/database.ts'
import {answers, conversations, messages} from '../store/schema/chat.ts'
import {claimKey, moveKey, otherRequest, requestHashOf} from '../runs/idempotency.ts'
import {notifyRow} from '../runs/row-signals.ts'
import {usableApplication} from '../runs/usable-application.ts'
import {countRunning, enqueueRun, holdReference, lockRunsOf, requireRoomInLine} from '../runs/run-store.ts'
import type {Runner} from '../runs/runner.ts'
import type {Turns} from '../work/turns.ts'
import {answerRuns, type AnswerRow} from './answers/answer-store.ts'
import type {AnswerWorkInput} from './answers/perform-answer.ts'
import {instructionsOf, toPrompt} from './answers/prompt.ts'
import {lockConversation, openAnswers, type ConversationRow, type MessageRow} from './conversations.ts'
import {withOwnSizes} from './file-sizes.ts'
import {estimatePromptTokens, mostPromptTokens, tariffOf} from './pricing.ts'
import {answerGiven, openPosition, requireNoPosition, type QuestionPosition} from './question-position.ts'
import {toContent} from './references.ts'

/** Answers of one user that may wait behind the running ones. */
const line = {most: 16, refusal: 'questionsWait', retryAfterSeconds: 5} as const

/**
 * How many questions a process accepts at once, and of one user. Questions of one user wait for the same lock, so more
 * than four would only hold connections. The rest wait without a connection, less than a proxy's minute.
 */
export const questionTurns = {
  atOnce: mostRequests / 2,
  ofOneKey: 4,
  longestMilliseconds: 45_000,
  overdue: () => new HttpFailure(503, 'busy', 'questionsCrowd', {retryAfterSeconds: 5}),
  // it reaches a client only if this process ends
  left: (cause: unknown) => new HttpFailure(503, 'busy', 'serverEnds', {retryAfterSeconds: 1, cause}),
  isAway: isDatabaseAway,
} as const

export type SubmitParts = {
  database: Database
  now: () => Date
  providers: ProvidersConfig
  findProvider: (model: string) => Promise<Provider | undefined>
  runner: Pick<Runner<AnswerRow, AnswerWorkInput>, 'reserve' | 'start'>
  workerId: () => string
  /** Whether this process may start an answer itself now (not in the role `api`); else a worker is called. */
  mayStart: () => boolean
  perUser: number
  turns: Turns
}

export type Submit = {
  identity: Identity
  request: ChatRequest
  /** The header `Idempotency-Key`, checked. */
  key: string | undefined
  traceId: string
  /** Aborts when the client leaves or this process ends. */
  left: AbortSignal
}

/** `question`: id of the message that is answered. */
export type AcceptedQuestion = {answer: AnswerRow; question: string | undefined; isReplay: boolean}

/**
 * Accepts a question: idempotency key, conversation, both messages, the answer and the hold are one transaction
 * (security R46), so a question is there with all of it or not at all.
 *
 * The answer then starts at once in this process, without waiting for the job queue's pick-up, which costs more than
 * the 20 ms that the first byte may. What guards it is its row: worker, fence and heartbeat. Only an answer that cannot
 * start here is handed to the queue: in the role `api`, or behind as many running answers as a user may have.
 *
 * Many questions at once take turns, so that none of them spends the time of a statement or a connection on waiting.
 * What its client leaves before its turn is not accepted: a stop would not find it (docs/decisions/0131).
 *
 * @throws HttpFailure 400 unknown model, 403 `used_up`, 404 foreign ids, 409 while the conversation is being answered,
 * 422 for a key that was used for another question, 429 when too many answers wait, 503 when its turn did not come
 */
export async function submitQuestion(parts: SubmitParts, submit: Submit): Promise<AcceptedQuestion> {
  const {identity, request} = submit
  requireOwn(identity, request)
  const provider = await parts.findProvider(request.model)
  const content = toContent(request.question, request.references ?? [])
  return parts.turns.take(identity.userId, () => acceptInTurn(parts, submit, {provider, content}), submit.left)
}

async function acceptInTurn(
  parts: SubmitParts,
  submit: Submit,
  {provider, content}: {provider: Provider | undefined; content: MessageContent},
): Promise<AcceptedQuestion> {
  const {identity, request} = submit
  const answerId = randomUUID()
  const release = parts.runner.reserve(answerId)
  try {
    const result = await parts.database.asUser(identity.userId, async (transaction) => {
      const earlierAnswer = await replay(transaction, submit, answerId)
      if (earlierAnswer !== undefined) return {...earlierAnswer, isReplay: true as const}
      const givenAnswer = await join(transaction, submit)
      if (givenAnswer !== undefined) return {...givenAnswer, isReplay: true as const}
      // after the key: a repeated submit gets its answer even if its model is no longer served
      if (provider === undefined) throw badRequest('modelUnserved', 'model', {model: request.model})
      const acceptance = await accept(transaction, parts, submit, {answerId, provider, content})
      return {...acceptance, provider, isReplay: false as const}
    })
    const {answer, question} = result
    if (!result.isReplay && answer.workerId !== null)
      parts.runner.start(answer, {prompt: result.prompt, provider: result.provider})
    return {answer, question, isReplay: result.isReplay}
  } finally {
    release()
  }
}

/** Ids in the body may only name the user and application of the credential (security R19). */
function requireOwn(identity: Identity, {user_id: userId, application_id: applicationId}: ChatRequest): void {
  if (userId !== undefined && userId !== identity.userId) throw notFound()
  if (applicationId !== undefined && applicationId !== identity.applicationId) throw notFound()
}

/** The answer of an earlier submit with this key. */
async function replay(
  transaction: Transaction,
  {identity: {userId}, request, key}: Submit,
  answerId: string,
): Promise<Omit<AcceptedQuestion, 'isReplay'> | undefined> {
  if (key === undefined) return undefined
  // a page that was left before it got the id of a new conversation asks first without the id, then with it
  const {id: conversation, ...question} = request
  const earlierSubmit = await claimKey(transaction, {
    userId,
    key,
    requestHash: requestHashOf(question),
    subject: {answerId},
  })
  if (earlierSubmit === undefined) return undefined
  const [answer] = await transaction
    .select()
    .from(answers)
    .where(eq(answers.id, earlierSubmit.answerId ?? answerId))
  if (answer === undefined) throw new HttpFailure(409, 'duplication', 'answerDeleted')
  if (conversation !== undefined && conversation !== answer.conversationId) throw otherRequest()
  const [message] = await transaction
    .select({question: messages.parentId})
    .from(messages)
    .where(eq(messages.id, answer.messageId))
  return {answer, question: message?.question ?? undefined}
}

/** The answer that a standing question has meanwhile, which this submit joins instead of asking for another one. */
async function join(
  transaction: Transaction,
  {identity: {userId}, request, key}: Submit,
): Promise<Omit<AcceptedQuestion, 'isReplay'> | undefined> {
  const answer = await answerGiven(transaction, userId, request)
  if (answer === undefined) return undefined
  if (key !== undefined) await moveKey(transaction, {userId, key, answerId: answer.id})
  return {answer, question: request.answer_to}
}

async function accept(
  transaction: Transaction,
  parts: SubmitParts,
  {identity, request, traceId}: Submit,
  {answerId, provider, content}: {answerId: string; provider: Provider; content: MessageContent},
) {
  const {userId} = identity
  const applicationId = await usableApplication(transaction, identity, {serviceId: chatServiceId, now: parts.now()})
  const {conversation, history, asked} = await openConversation(transaction, parts, identity, request)

  await lockRunsOf(transaction, answerRuns, userId)
  const startsHere = parts.mayStart() && (await countRunning(transaction, answerRuns, userId)) < parts.perUser
  if (!startsHere) await requireRoomInLine(transaction, answerRuns, userId, line)

  const own = {userId, conversationId: conversation.id}
  const state = startsHere ? ('answering' as const) : ('pending' as const)
  const reply = {...own, role: 'assistant' as const, content: '', state, model: request.model, provider: provider.name}
  const {question, messageId} = await insertTurn(transaction, {
    history,
    question: asked ?? {...own, role: 'user', content: await withOwnSizes(transaction, userId, content)},
    reply,
  })

  const guidance = {preset: conversation.preset, instructions: await instructionsOf(transaction, userId)}
  const prompt = toPrompt(guidance, [...history, question])
  const promptTokens = estimatePromptTokens(prompt, provider.kind)
  const tariff = tariffOf(parts.providers, provider, request.model)
  const heldAmount = tariff.cost(mostPromptTokens(prompt, provider.kind), tariff.answerCap)
  const [answer] = await transaction
    .insert(answers)
    .values({
      ...own,
      id: answerId,
      messageId,
      applicationId,
      credentialId: identity.credentialId,
      model: request.model,
      provider: provider.name,
      held: heldAmount,
      promptTokens,
      tokensEstimated: true,
      traceId,
      ...(startsHere
        ? {state: 'answering' as const, workerId: parts.workerId(), fence: 1, startedAt: parts.now()}
        : {}),
    })
    .returning()
  if (answer === undefined) throw new Error('The database inserted an answer and returned none')
  await holdCredits(transaction, {
    applicationId,
    userId,
    amount: heldAmount,
    reference: holdReference(answerRuns, answerId),
  })
  // streams that follow the answers of this user learn of one more at the commit
  await notifyRow(transaction, 'answer', userId)
  if (!startsHere) await enqueueRun(transaction, answerRuns, answerId)
  return {answer, question: question.id, prompt}
}

type NewMessage = Omit<typeof messages.$inferInsert, 'id' | 'parentId' | 'position'>

/** Puts a reply after a question, and the question after the history, unless it is there already. */
async function insertTurn(
  transaction: Transaction,
  turn: {history: readonly MessageRow[]; question: MessageRow | NewMessage; reply: NewMessage},
) {
  const {history, question: asked, reply} = turn
  const isThere = 'id' in asked
  const question = isThere ? asked : {...asked, ...positionAfter(history.at(-1)), id: randomUUID()}
  if (!isThere) await transaction.insert(messages).values(question)
  const messageId = randomUUID()
  await transaction.insert(messages).values({...reply, ...positionAfter(question), id: messageId})
  return {question, messageId}
}

const positionAfter = (before: Pick<MessageRow, 'id' | 'position'> | undefined) => ({
  parentId: before?.id ?? null,
  position: (before?.position ?? -1) + 1,
})

async function openConversation(
  transaction: Transaction,
  {now}: SubmitParts,
  {userId, applicationId}: Identity,
  request: ChatRequest,
): Promise<QuestionPosition & {conversation: ConversationRow}> {
  const {id, model, preset} = request
  const facts = {model, updatedAt: now(), ...(preset === undefined ? {} : {preset})}
  if (id !== undefined) {
    const conversationRow = await lockConversation(transaction, userId, id)
    if ((await openAnswers(transaction, conversationRow.id)).length > 0)
      throw new HttpFailure(409, 'duplication', 'answering')
    const position = await openPosition(transaction, conversationRow.id, request)
    // another model answers this question only: the conversation keeps its own
    const changes = position.asked === undefined ? facts : {...facts, model: conversationRow.model}
    await transaction.update(conversations).set(changes).where(eq(conversations.id, conversationRow.id))
    return {conversation: {...conversationRow, ...changes}, ...position}
  }
  requireNoPosition(request)
  const [conversation] = await transaction
    .insert(conversations)
    .values({userId, applicationId, ...facts})
    .returning()
  if (conversation === undefined) throw new Error('The database inserted a conversation and returned none')
  return {conversation, history: []}
}
