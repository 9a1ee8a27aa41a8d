import {defer, mergeMap, type Observable} from 'rxjs'
import {
  chatMessage,
  conversation,
  conversationPage,
  messageStates,
  type ChatMessage,
  type Conversation,
} from '#contract/chat.ts'
import {identifier, optional, z} from '#contract/schema.ts'
import type {Exchange} from '#domain/exchange.ts'
import type {AnswerEvent} from './answer-stream.ts'
import {ApiError} from './api-error.ts'
import type {FollowEvent} from './follow-stream.ts'
import type {FrameScheduler} from './batch-frames.ts'
import {createRequester, type ApiDeps, type Call} from './request.ts'

export type {AnswerEvent} from './answer-stream.ts'

export type ChatApiDeps = ApiDeps & {
  /** Without one every delta is an event of its own. */
  frames?: FrameScheduler
  /** Milliseconds, monotonic. */
  now?: () => number
  /** Loads the readers of streams, which come with the first stream; it may wait for a network. */
  loadPart?: <Part>(load: () => Promise<Part>) => Promise<Part>
}

/** A question, or an answer to go on with. `capabilities` are those of `service.metadata`. */
export type AnswerInput = {
  request: 'ask' | 'resume'
  /** The server's id; absent in a new conversation. */
  conversation?: string
  model: string
  capabilities: readonly string[]
  exchange: Pick<Exchange, 'question' | 'references' | 'key' | 'message' | 'attempt' | 'lastSeq'>
}

/**
 * `capabilities` are those of `service.metadata`. `last` is the id of the newest message of the history that is cut, where
 * the server gave it one.
 */
export type Changes = {
  title?: string
  messages?: readonly ChatMessage[]
  last?: string | undefined
  capabilities?: readonly string[]
}

/** `limit` and `offset` are ours. */
type BatchInput = {userId?: string; applicationId?: string; ids?: string[]; limit?: number; offset?: number}

const pageSize = 100
const path = '/aichat/conversations'

/** A message nobody can read does not hide the others. */
const lenientRead = {isRead: true, isLenient: true} as const

const stopped = z.object({
  id: optional(identifier),
  message: optional(identifier),
  state: z.catch(z.enum(messageStates), 'failed'),
})

/** What every implementation knows of a message (contract/chat §1). */
const {role, content, state, error} = chatMessage.shape
const specified = z.object({role, content, state, error})

/** Only a server whose answers can be resumed gives messages a name and keeps what is ours of them. */
const sentMessage = (message: ChatMessage, capabilities: readonly string[]) =>
  (capabilities.includes('resume') ? chatMessage : specified).parse(message)

/** Body of a question, exactly as the specification's app sends it; `resume` is ours. */
const bodyOf = ({request, conversation, model, exchange}: AnswerInput) => {
  const {question, references, message, attempt, lastSeq} = exchange
  return request === 'resume'
    ? {action: 'resume', id: conversation, message, attempt, last_seq: lastSeq}
    : {
        question: question.trim(),
        model,
        references,
        ...(conversation === undefined ? {} : {id: conversation}),
        stateful: true,
      }
}

const idempotencyKey = ({request, capabilities, exchange}: AnswerInput): Record<string, string> =>
  request === 'ask' && exchange.key !== '' && capabilities.includes('idempotency')
    ? {'idempotency-key': exchange.key}
    : {}

/**
 * The chat service (contract/chat). `headers()` gives the bearer of the **credential**, never the person's access token;
 * without one every call fails with `not_applied`. A 401 here is an ordinary failure and starts no login.
 */
export const createChatApi = (deps: ChatApiDeps) => {
  const {fetch, baseUrl, log, frames, now = () => performance.now(), loadPart = (load) => load()} = deps

  const headers = () => {
    const known = deps.headers()
    if (known.authorization === undefined) throw new ApiError({code: 'not_applied', detail: 'no token'})
    return known
  }
  const request = createRequester({...deps, headers})
  const streamInit = (body: object, more: Record<string, string> = {}) => ({
    url: `${baseUrl}${path}`,
    headers: {...headers(), 'content-type': 'application/json', accept: 'text/event-stream', ...more},
    body,
  })
  const command = <T>(answer: z.core.$ZodType<T>, body: object, options: CommandOptions) =>
    request({method: 'post', path, body, headers: {'x-record-exempt': 'true'}, answer, isRead: false, ...options})

  const retrieveBatch = (input: BatchInput, signal?: AbortSignal) => {
    const {userId, applicationId, ids, limit, offset} = input
    const body = {action: 'retrieve_batch', user_id: userId, application_id: applicationId, ids, limit, offset}
    return command(conversationPage, body, {...lenientRead, signal})
  }

  return {
    /** The answer to a question, or the rest of one. Cold: subscribing asks, unsubscribing aborts and stops nothing. */
    answer$(input: AnswerInput): Observable<AnswerEvent> {
      const {message, attempt, lastSeq} = input.exchange
      const isResumed = input.request === 'resume'
      const request = {
        fetch,
        log,
        now,
        init: () => streamInit(bodyOf(input), idempotencyKey(input)),
        message,
        attempt,
        lastSeq: isResumed ? lastSeq : 0,
        isResumed,
        frames,
      }
      return defer(() => loadPart(() => import('./answer-stream.ts'))).pipe(
        mergeMap(({openAnswer$}) => openAnswer$(request)),
      )
    },

    /** Ours: only where the service offers `follow`. */
    follow$: (): Observable<FollowEvent> =>
      defer(() => loadPart(() => import('./follow-stream.ts'))).pipe(
        mergeMap(({openFollow$}) => openFollow$({fetch, log, now, init: () => streamInit({action: 'follow'}), frames})),
      ),

    /** Ours: only where the service offers `stop`. */
    stop: (input: {conversation: string; message?: string}, signal?: AbortSignal) =>
      command(stopped, {action: 'stop', id: input.conversation, message: input.message}, {signal}),

    retrieve: (input: {conversation: string}, signal?: AbortSignal) =>
      command(conversation, {action: 'retrieve', id: input.conversation}, {...lenientRead, signal}),

    retrieveBatch,

    /**
     * Conversations of a person, with their messages, from `offset` on. The first question is the specification's, which
     * pages nothing (contract/chat §1). A server that counts more than it sent is asked for the rest, in pages: `next` is
     * where they begin. One that knows no pages and refuses the question is believed.
     */
    async retrievePage(
      {userId, offset}: {userId: string; offset: number},
      signal?: AbortSignal,
    ): Promise<{items: Conversation[]; next?: number}> {
      const paging = offset === 0 ? {} : {limit: pageSize, offset}
      const {items, count} = await retrieveBatch({userId, ...paging}, signal).catch((error: unknown) => {
        if (offset > 0 && error instanceof ApiError && error.status === 400) return {items: [], count: 0}
        throw error
      })
      const end = offset + items.length
      return items.length > 0 && end < count ? {items, next: end} : {items}
    },

    /**
     * Renames, or cuts the history to `messages`. What only this client knows of a message is not sent, and what only
     * our server knows goes only where the capabilities say so.
     */
    async update(id: string, {title, messages, last, capabilities = []}: Changes, signal?: AbortSignal): Promise<void> {
      const known = messages?.map((message) => sentMessage(message, capabilities))
      await command(
        z.unknown(),
        {action: 'update', id, title, messages: known, last: capabilities.includes('last') ? last : undefined},
        {signal},
      )
    },

    /** Still sent when the page is closing: a deletion waits for its undo to pass. */
    async remove(id: string, signal?: AbortSignal): Promise<void> {
      await command(z.unknown(), {action: 'delete', id}, {signal, keepsAlive: true})
    },
  }
}
type CommandOptions = Pick<Call<unknown>, 'isRead' | 'isLenient' | 'keepsAlive' | 'signal'>

export type ChatApi = ReturnType<typeof createChatApi>
