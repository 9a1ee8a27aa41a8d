import {and, desc, eq, type SQL} from 'drizzle-orm'
import {chatCommand, chatRequest, type ChatCommand, type ChatRequest} from '#contract/chat-requests.ts'
import {z} from '#contract/schema.ts'
import type {Identity} from '../auth/identity.ts'
import {HttpFailure, notFound, say} from '../http/failure.ts'
import {languageOf, loadLanguage} from '../http/language.ts'
import {route, type Route, type RouteInput} from '../http/route.ts'
import {answers} from '../store/schema/chat.ts'
import {checkKey} from '../runs/idempotency.ts'
import type {AiService} from './ai-service.ts'
import {chooseForm} from './answers/answer-frames.ts'
import {answerResponse, followResponse} from './answers/answer-response.ts'
import {isForgotten, type AnswerRow} from './answers/answer-store.ts'
import {stopAnswer} from './answers/stop-answer.ts'
import {remove, removeBatch, retrieve, retrieveBatch, revisions, update} from './conversation-commands.ts'
import {isOurId} from './conversations.ts'
import {exportConversations} from './export-conversations.ts'
import {findImports, importConversations} from './import-conversations.ts'
import {branchConversation, editQuestion, removeMessage, selectVersion} from './message-commands.ts'
import {labelConversations} from './label-conversations.ts'
import {mark} from './mark-conversations.ts'
import {submitQuestion} from './submit.ts'

type Body = ChatRequest | ChatCommand
type Input = RouteInput<Body, undefined>

/**
 * The AI service: one address, chosen by `action` (contract/chat §1). Chat and resume answer as event stream, ndjson or
 * JSON by `Accept`, follow as one of the first two; everything else is JSON.
 */
export const apiRoutes = (service: AiService): Route[] => [
  route({
    service: 'api',
    method: 'POST',
    path: '/aichat/conversations',
    policy: 'credential',
    limit: 'chat',
    // hundreds of calls in a row, beside which questions are asked
    limitOf: ({action}) => (isTransfer(action) ? 'transfer' : undefined),
    body: z.union([chatCommand, chatRequest]),
    handle: (input) => handle(service, input),
  }),
]

const isTransfer = (action: Body['action']) => action === 'import' || action === 'imported' || action === 'export'

async function handle(service: AiService, input: Input): Promise<Response> {
  const {body, identity} = input
  const parts = service.answers
  switch (body.action) {
    case undefined:
    case 'chat':
      return chat(service, input, body)
    case 'resume':
      return resume(service, input, body)
    case 'follow': {
      const intl = await loadLanguage(languageOf(input.context.req.raw))
      return followResponse(parts, {
        userId: identity.userId,
        named: body.answers ?? [],
        form: formOf(input),
        credentialId: identity.credentialId,
        client: input.client,
        say: (id) => say(intl, id),
      })
    }
    case 'stop':
      return stop(service, identity, body)
    case 'retrieve':
      return Response.json(await retrieve(parts, identity, body))
    case 'retrieve_batch':
      return Response.json(await retrieveBatch(parts, identity, body))
    case 'revisions':
      return Response.json(await revisions(parts, identity))
    case 'update':
      return Response.json(await update(parts, identity, body))
    case 'delete':
      return Response.json(await remove(parts, identity, body))
    case 'select':
      return Response.json(await selectVersion(parts, identity, body))
    case 'edit':
      return Response.json(await editQuestion(parts, identity, body))
    case 'remove':
      return Response.json(await removeMessage(parts, identity, body))
    case 'branch': {
      const key = checkKey(input.context.req.header('idempotency-key'))
      const {branch, isReplay} = await branchConversation(parts, identity, body, key)
      return Response.json(branch, isReplay ? {headers: {'idempotent-replay': 'true'}} : {})
    }
    case 'mark':
      return Response.json(await mark(parts, identity, body))
    case 'label':
      return Response.json(await labelConversations(parts, identity, body))
    case 'delete_batch':
      return Response.json(await removeBatch(parts, identity, body))
    case 'import': {
      const intl = await loadLanguage(languageOf(input.context.req.raw))
      return Response.json(await importConversations(parts, identity, body, intl))
    }
    case 'imported':
      return Response.json(await findImports(parts, identity, body))
    case 'export':
      return Response.json(await exportConversations(parts, identity, body))
  }
}

const formOf = ({context}: Input) => chooseForm(context.req.header('accept') ?? null)

async function chat(service: AiService, input: Input, request: ChatRequest): Promise<Response> {
  const {identity, context, traceId, signal: clientLeft} = input
  const key = checkKey(context.req.header('idempotency-key'))
  const {answer, question, isReplay} = await submitQuestion(service.submit, {
    identity,
    request,
    key,
    traceId,
    left: clientLeft,
  })
  return answerResponse(service.answers, {
    answer,
    question,
    form: formOf(input),
    lastSeq: 0,
    credentialId: identity.credentialId,
    client: input.client,
    left: clientLeft,
    headers: isReplay ? {'idempotent-replay': 'true'} : {},
  })
}

async function resume(
  service: AiService,
  input: Input,
  command: Extract<ChatCommand, {action: 'resume'}>,
): Promise<Response> {
  const {id, message, attempt, last_seq: lastSeq} = command
  if (!isOurId(id) || !isOurId(message)) throw notFound()
  const isMeant = and(eq(answers.conversationId, id), eq(answers.messageId, message), eq(answers.attempt, attempt))
  const answer = await findAnswer(service, input.identity, isMeant)
  if (answer === undefined) throw notFound()
  const {database} = service.answers
  if (await database.asUser(answer.userId, (transaction) => isForgotten(transaction, answer, lastSeq)))
    throw new HttpFailure(409, 'unknown', 'answerForgotten')
  return answerResponse(service.answers, {
    answer,
    form: formOf(input),
    lastSeq,
    credentialId: input.identity.credentialId,
    client: input.client,
    left: input.signal,
  })
}

const findAnswer = async (
  {answers: {database}}: AiService,
  {userId}: Identity,
  condition: SQL | undefined,
): Promise<AnswerRow | undefined> => {
  const [answer] = await database.asUser(userId, (transaction) =>
    transaction
      .select()
      .from(answers)
      .where(and(eq(answers.userId, userId), condition))
      .orderBy(desc(answers.createdAt))
      .limit(1),
  )
  return answer
}

async function stop(
  service: AiService,
  identity: Identity,
  {id, message}: Extract<ChatCommand, {action: 'stop'}>,
): Promise<Response> {
  if (!isOurId(id) || (message !== undefined && !isOurId(message))) throw notFound()
  const isMeant = and(
    eq(answers.conversationId, id),
    ...(message === undefined ? [] : [eq(answers.messageId, message)]),
  )
  const answer = await findAnswer(service, identity, isMeant)
  if (answer === undefined) throw notFound()
  const end = await stopAnswer(service.answers, {answerId: answer.id, userId: identity.userId})
  if (end === undefined) throw notFound()
  return Response.json({id, message: end.messageId, state: end.state})
}
