import {concatMap, from, Observable, type OperatorFunction} from 'rxjs'
import type {MessageOutcome} from '#contract/chat.ts'
import type {Delta} from '#domain/exchange.ts'
import {unreadableStream, type Failure} from '#domain/failure.ts'
import type {AnswerPart} from './answer-frame.ts'
import {ApiError, errorOfFetch, failureOfResponse} from './api-error.ts'
import {batchFrames, type FrameScheduler} from './batch-frames.ts'
import {createDeadline} from './deadline.ts'
import type {Log} from '#domain/log.ts'
import {parseJson} from '#domain/parse-json.ts'

/** What the stream of an answer reports (the machine of a conversation names and explains the same events). */
export type AnswerEvent =
  | {type: 'answer.connected'}
  | {type: 'answer.alive'}
  | {
      type: 'answer.started'
      conversation?: string
      message: string
      attempt: number
      provider?: string
      sandbox?: boolean
    }
  | ({type: 'answer.received'} & Delta)
  | {type: 'answer.completed'}
  | {type: 'answer.failed'; failure: Failure; outcome?: MessageOutcome}

/** Security R44. */
const connectTimeout = 15_000
const aliveInterval = 5_000

export type AnswerRequest = {
  fetch: typeof fetch
  log: Log
  /** Milliseconds, monotonic. */
  now: () => number
  /** Read when somebody subscribes: tokens change. May throw. */
  init: () => {url: string; headers: Record<string, string>; body: object}
  /** What the answer is called where the server does not name it. */
  message: string
  attempt: number
  lastSeq: number
  /** Our server goes on with an answer it numbered. */
  isResumed: boolean
  /** Waits between two reads (`FrameScheduler`); absent reads at once what comes. */
  rest?: () => Promise<void>
}

/** Parts → events, with the names the server gave or, from a server that gives none, ours. */
const createNaming = ({message, attempt, isResumed}: AnswerRequest) => {
  const name = {conversation: undefined as string | undefined, message, attempt}
  let hasStarted = isResumed

  const start = (part?: AnswerPart & {kind: 'started'}): AnswerEvent => {
    hasStarted = true
    name.conversation = part?.conversation
    if (part?.message !== undefined) {
      name.message = part.message
      name.attempt = part.attempt ?? name.attempt
    }
    const {provider, sandbox} = part ?? {}
    return {
      type: 'answer.started',
      ...name,
      ...(provider === undefined ? {} : {provider}),
      ...(sandbox === undefined ? {} : {sandbox}),
    }
  }

  return (part: AnswerPart): AnswerEvent[] => {
    switch (part.kind) {
      case 'started':
        return [start(part)]
      case 'text':
        return [
          ...(hasStarted ? [] : [start()]),
          {type: 'answer.received', ...name, seq: part.seq, from: part.seq, text: part.text},
        ]
      case 'completed':
        return [...(hasStarted ? [] : [start()]), {type: 'answer.completed'}]
      case 'failed':
        return [{type: 'answer.failed', failure: part.failure, outcome: part.outcome}]
    }
  }
}

/** Whether the answer to a read was there already. */
const isSettled = async (read: Promise<unknown>) => {
  let settled = false
  const note = () => {
    settled = true
  }
  read.then(note, note)
  await Promise.resolve()
  await Promise.resolve()
  return settled
}

const refusalOf = async (response: Response) => {
  const text = await response.text()
  return new ApiError(failureOfResponse(parseJson(text), response.status))
}

/**
 * One answer. Cold: subscribing asks, unsubscribing aborts the request (which the server does not take for a stop).
 * Completes when the bytes end, whether or not `answer.completed` came. Errors with an {@link ApiError}: refused by
 * status, or `lost` when no answer came within 15 s or the connection broke.
 */
export const openAnswer$ = (request: AnswerRequest): Observable<AnswerEvent> =>
  new Observable((subscriber) => {
    const {fetch, log, now} = request
    const controller = new AbortController()
    const nameEvents = createNaming(request)
    let lastHeard = now()

    const emit = (parts: Iterable<AnswerPart>) => {
      let count = 0
      for (const part of parts) {
        count += 1
        for (const event of nameEvents(part)) subscriber.next(event)
        if (part.kind === 'completed' || part.kind === 'failed') subscriber.complete()
      }
      return count
    }
    const hear = (count: number) => {
      if (count === 0 && now() - lastHeard < aliveInterval) return
      lastHeard = now()
      if (count === 0) subscriber.next({type: 'answer.alive'})
    }

    let body: ReadableStreamDefaultReader<Uint8Array> | undefined

    const connect = async () => {
      const {url, headers, body: question} = request.init()
      const deadline = createDeadline(connectTimeout, controller.signal)
      const options = {method: 'POST', headers, body: JSON.stringify(question), signal: deadline.signal}
      const response = await fetch(url, options)
      if (!response.ok) throw await refusalOf(response).finally(() => deadline.release())
      deadline.clear()
      if (response.body === null) throw new ApiError(unreadableStream)
      subscriber.next({type: 'answer.connected'})
      return {bytes: response.body.getReader(), contentType: response.headers.get('content-type')}
    }
    const run = async () => {
      // the readers come while the server thinks: they are no part of the first screen
      const [{bytes, contentType}, {createAnswerReader}] = await Promise.all([connect(), import('./chat-stream.ts')])
      body = bytes
      const reader = createAnswerReader({
        contentType,
        log,
        lastSeq: request.lastSeq,
        isNumbered: request.isResumed,
      })
      let next = bytes.read()
      while (!subscriber.closed) {
        const chunk = await next
        if (chunk.done) {
          emit(reader.end())
          subscriber.complete()
          return
        }
        hear(emit(reader.push(chunk.value)))
        next = bytes.read()
        // a page that wakes up for every word has no time for anything else
        if (!(await isSettled(next))) await request.rest?.()
      }
    }
    run().catch((reason: unknown) => {
      if (!controller.signal.aborted) subscriber.error(errorOfFetch(reason))
    })
    return () => {
      controller.abort()
      body?.cancel().catch(() => undefined) // a body that failed cannot be canceled, and needs not
    }
  })

/** Deltas that follow each other become one, which names its first and last sequence number. */
export const joinDeltas = (events: readonly AnswerEvent[]): AnswerEvent[] => {
  const joined: AnswerEvent[] = []
  let texts: string[] = []
  for (const event of events) {
    const last = joined.at(-1)
    const continues =
      event.type === 'answer.received' &&
      last?.type === 'answer.received' &&
      event.message === last.message &&
      event.attempt === last.attempt &&
      event.conversation === last.conversation &&
      event.seq === last.seq + 1
    if (!continues) {
      texts = event.type === 'answer.received' ? [event.text] : []
      joined.push(event)
      continue
    }
    texts.push(event.text)
    joined[joined.length - 1] = {...last, seq: event.seq, text: texts.join('')}
  }
  return joined
}

/** At most one delta a frame, so that a flood of them is a few state changes (`batch-frames.ts`). */
export const batchDeltas =
  (scheduler: FrameScheduler): OperatorFunction<AnswerEvent, AnswerEvent> =>
  (source) =>
    source.pipe(
      batchFrames(scheduler),
      concatMap((events) => from(joinDeltas(events))),
    )
