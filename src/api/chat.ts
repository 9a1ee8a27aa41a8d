import type {Observable} from 'rxjs'
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
import {batchDeltas, openAnswer$, type AnswerEvent} from './answer-stream.ts'
import {ApiError} from './api-error.ts'
import type {FrameScheduler} from './batch-frames.ts'
import {createRequester, type ApiDeps, type Call} from './request.ts'

export type {AnswerEvent} from './answer-stream.ts'

export type ChatApiDeps = ApiDeps & {
  /** Without one every delta is an event of its own. */
  frames?: FrameScheduler
  /** Milliseconds, monotonic. */
  now?: () => number
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

export type Changes = {title?: string; messages?: readonly ChatMessage[]}

/** `limit` and `offset` are ours. */
type BatchInput = {userId?: string; applicationId?: string; ids?: string[]; limit?: number; offset?: number}

const pageSize = 100
const path = '/aichat/conversations'

const stopped = z.object({
  id: optional(identifier),
  message: optional(identifier),
  state: z.catch(z.enum(messageStates), 'failed'),
})

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
  const {fetch, baseUrl, log, frames, now = () => performance.now()} = deps

  const headers = () => {
    const known = deps.headers()
    if (known.authorization === undefined) throw new ApiError({code: 'not_applied', detail: 'no token'})
    return known
  }
  const request = createRequester({...deps, headers})
  const command = <T>(answer: z.core.$ZodType<T>, body: object, options: CommandOptions) =>
    request({method: 'post', path, body, headers: {'x-record-exempt': 'true'}, answer, isRead: false, ...options})

  const retrieveBatch = (input: BatchInput, signal?: AbortSignal) => {
    const {userId, applicationId, ids, limit, offset} = input
    const body = {action: 'retrieve_batch', user_id: userId, application_id: applicationId, ids, limit, offset}
    return command(conversationPage, body, {isRead: true, signal})
  }

  return {
    /** The answer to a question, or the rest of one. Cold: subscribing asks, unsubscribing aborts and stops nothing. */
    answer$(input: AnswerInput): Observable<AnswerEvent> {
      const {message, attempt, lastSeq} = input.exchange
      const isResumed = input.request === 'resume'
      const init = () => ({
        url: `${baseUrl}${path}`,
        headers: {
          ...headers(),
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...idempotencyKey(input),
        },
        body: bodyOf(input),
      })
      const events$ = openAnswer$({
        fetch,
        log,
        now,
        init,
        message,
        attempt,
        lastSeq: isResumed ? lastSeq : 0,
        isResumed,
      })
      return frames === undefined ? events$ : events$.pipe(batchDeltas(frames))
    },

    /** Ours: only where the service offers `stop`. */
    stop: (input: {conversation: string; message?: string}, signal?: AbortSignal) =>
      command(stopped, {action: 'stop', id: input.conversation, message: input.message}, {signal}),

    retrieve: (input: {conversation: string}, signal?: AbortSignal) =>
      command(conversation, {action: 'retrieve', id: input.conversation}, {isRead: true, signal}),

    retrieveBatch,

    /**
     * All conversations of a person, with their messages. The first question is the specification's, which pages nothing
     * (contract/chat §1). A server that counts more than it sent is asked for the rest, in pages; one that knows no pages
     * sends the same again, or a 400, and is believed.
     */
    async retrieveAll(input: {userId: string}, signal?: AbortSignal): Promise<Conversation[]> {
      const {items, count} = await retrieveBatch(input, signal)
      const all = new Map(items.map((item) => [item.id, item]))
      let offset = items.length
      while (offset < count) {
        const page = await retrieveBatch({...input, limit: pageSize, offset}, signal).catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 400) return {items: []}
          throw error
        })
        const added = page.items.filter(({id}) => !all.has(id))
        if (added.length === 0) break
        for (const item of added) all.set(item.id, item)
        offset += page.items.length
      }
      return [...all.values()]
    },

    /** Renames, or cuts the history to `messages`. What only this client knows of a message is not sent. */
    async update(id: string, {title, messages}: Changes, signal?: AbortSignal): Promise<void> {
      const known = messages?.map((message) => chatMessage.parse(message))
      await command(z.unknown(), {action: 'update', id, title, messages: known}, {signal})
    },

    /** Still sent when the page is closing: a deletion waits for its undo to pass. */
    async remove(id: string, signal?: AbortSignal): Promise<void> {
      await command(z.unknown(), {action: 'delete', id}, {signal, keepsAlive: true})
    },
  }
}
type CommandOptions = Pick<Call<unknown>, 'isRead' | 'keepsAlive' | 'signal'>

export type ChatApi = ReturnType<typeof createChatApi>
