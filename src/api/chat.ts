import {defer, mergeMap, type Observable} from 'rxjs'
import {conversation, conversationPage, messageStates, type Conversation} from '#contract/chat.ts'
import {identifier, optional, z} from '#contract/schema.ts'
import type {AnswerEvent, AnswerInput, FeedEvent} from '#domain/answer.ts'
import {toRecord, type ConversationChange} from '#domain/conversation.ts'
import type {History} from './cut-history.ts'
import type {BatchInput, ListPage, ListPageInput} from './list-pages.ts'
import {createRequester, type ApiDeps, type Call} from './request.ts'

export type ChatApiDeps = ApiDeps & {
  /** The deltas of one read are one event; otherwise every delta is. */
  joinsDeltas?: boolean | undefined
  /** Milliseconds, monotonic. */
  now?: () => number
  /** Loads the stream readers with the first stream; may wait for a network. */
  loadPart?: <Part>(load: () => Promise<Part>) => Promise<Part>
}

const path = '/aichat/conversations'

/** The same each time: a part that is there needs no network. */
export const loadChanges = () => import('./conversation-changes.ts')
const loadStream = () => import('./answer-stream.ts')

/** An unreadable message must not hide the others. */
const lenientRead = {isRead: true, isLenient: true} as const

const removedBatch = z.object({items: z.array(identifier)})

const stoppedAnswer = z.object({
  id: optional(identifier),
  message: optional(identifier),
  state: z.catch(z.enum(messageStates), 'failed'),
})

/**
 * The chat service (contract/chat). `fetch` adds the **credential** (`credential-fetch.ts`), never the user's access
 * token. A 401 here is an ordinary failure and starts no login.
 */
export const createChatApi = (deps: ChatApiDeps) => {
  const {fetch, baseUrl, log, joinsDeltas, now = () => performance.now(), loadPart = (load) => load()} = deps

  const request = createRequester(deps)
  const streamInit = (body: object, more: Record<string, string> = {}) => ({
    url: `${baseUrl}${path}`,
    headers: {...deps.headers(), 'content-type': 'application/json', accept: 'text/event-stream', ...more},
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
    /**
     * The answer to a question, or the rest of one. Cold: subscribing sends, unsubscribing aborts the request but does
     * not stop the answer.
     */
    answer$(input: AnswerInput): Observable<AnswerEvent> {
      const deps = {fetch, log, now, joinsDeltas, send: streamInit}
      return defer(() => loadPart(loadStream)).pipe(mergeMap(({askAnswer$}) => askAnswer$(input, deps)))
    },

    /** Our extension: only if the service offers `follow`. */
    follow$: (): Observable<FeedEvent> =>
      defer(() => loadPart(() => import('./follow-stream.ts'))).pipe(
        mergeMap(({openFollow$}) => openFollow$({fetch, log, now, init: () => streamInit({action: 'follow'})})),
      ),

    /** Our extension: only if the service offers `stop`. It goes out though the page is left at once. */
    stop: (input: {conversation: string; message?: string}, signal?: AbortSignal) =>
      command(
        stoppedAnswer,
        {action: 'stop', id: input.conversation, message: input.message},
        {signal, keepsAlive: true},
      ),

    retrieve: (input: {conversation: string}, signal?: AbortSignal) =>
      command(conversation, {action: 'retrieve', id: input.conversation}, {...lenientRead, signal}),

    retrieveBatch,

    /** Any other action, for what is loaded with its views. */
    command,

    /**
     * A user's conversations with their messages, from `offset` on. The first request of a device that keeps nothing is
     * the specification's, without paging (contract/chat §1). If the server counts more than it sent, the rest is
     * requested in pages, starting at `next`. A server that refuses paging counts as complete.
     */
    async retrievePage(input: ListPageInput, signal?: AbortSignal): Promise<ListPage> {
      if (input.offset > 0 || input.kept.length > 0) {
        const {readPage} = await loadPart(() => import('./list-pages.ts'))
        return readPage({command, retrieveBatch}, input, signal)
      }
      const {items, count} = await retrieveBatch({userId: input.userId}, signal)
      const records = items.map((item) => toRecord(item, input.model))
      return {records, next: (items.length < count && items.length) || undefined}
    },

    /** Sends deletions and, to a server that keeps no versions, the history without what is replaced. */
    async cutHistory(history: History, signal?: AbortSignal): Promise<Conversation | undefined> {
      const {cutHistory} = await loadPart(() => import('./cut-history.ts'))
      return cutHistory(command, history, signal)
    },

    /**
     * Titles and marks. `previous`: what the server had of each, if it offers `labels`. A single one is sent even while
     * the page closes; browsers refuse that to long bodies. Rejects with `PartlySent` where some have arrived.
     */
    async changeConversations(
      changes: readonly ConversationChange[],
      signal?: AbortSignal,
      previous?: readonly ConversationChange[],
    ): Promise<void> {
      const {sendChanges} = await loadPart(loadChanges)
      const delivery = {signal, keepsAlive: changes.length === 1}
      await sendChanges((body) => command(z.unknown(), body, delivery), changes, previous)
    },

    /**
     * Answers with the ids that are gone. Several at once, as many as one call takes, are our extension `marks`.
     * `keepsAlive`: sent even while the page closes, for a deletion waits for its undo to expire; browsers refuse it
     * beyond 64 KiB of bodies at once.
     */
    async remove(ids: readonly string[], keepsAlive = true): Promise<readonly string[]> {
      const [only, second] = ids
      if (only === undefined || second !== undefined) {
        const {items} = await command(removedBatch, {action: 'delete_batch', ids}, {keepsAlive})
        return items
      }
      await command(z.unknown(), {action: 'delete', id: only}, {keepsAlive})
      return ids
    },
  }
}
type CommandOptions = Pick<Call<unknown>, 'headers' | 'isRead' | 'isLenient' | 'isKept' | 'keepsAlive' | 'signal'>

export type ChatApi = ReturnType<typeof createChatApi>
