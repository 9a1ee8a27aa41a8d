import {Observable, type Subscriber} from 'rxjs'
import type {AnswerEvent} from '#domain/answer.ts'
import type {Log} from '#domain/log.ts'
import type {AnswerPart} from './answer-frame.ts'
import {errorOfFetch} from './api-error.ts'
import {createAnswerReader} from './chat-stream.ts'
import {joinDeltas} from './join-deltas.ts'

/** A server of ours says every 5 s that it is there (security R44). */
export const aliveInterval = 4_000

export type StreamRequest = {
  fetch: typeof fetch
  log: Log
  /** Milliseconds, monotonic. */
  now: () => number
  /** Called on subscription, since tokens change. May throw. */
  init: () => {url: string; headers: Record<string, string>; body: object}
  /** Name of the message if the server gives none. */
  message: string
  attempt: number
  lastSeq: number
  /** The server resumes an answer it numbered. */
  isResumed: boolean
  /** The deltas of one read are one event; otherwise every delta is. */
  joinsDeltas?: boolean | undefined
}

/** Parts → events, with the server's names or, if it gives none, ours. */
const createNaming = ({message, attempt, isResumed}: StreamRequest) => {
  const name = {conversation: undefined as string | undefined, message, attempt}
  let hasStarted = isResumed

  const start = (part?: AnswerPart & {kind: 'started'}): AnswerEvent => {
    hasStarted = true
    name.conversation = part?.conversation
    if (part?.message !== undefined) {
      name.message = part.message
      name.attempt = part.attempt ?? name.attempt
    }
    const {question, provider, sandbox} = part ?? {}
    return {
      type: 'answer.started',
      ...name,
      ...(question === undefined ? {} : {question}),
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
        return [
          ...(hasStarted ? [] : [start()]),
          {type: 'answer.completed', ...(part.outcome === undefined ? {} : {outcome: part.outcome})},
        ]
      case 'failed':
        return [{type: 'answer.failed', failure: part.failure, outcome: part.outcome}]
    }
  }
}

export type OpenBody = {bytes: ReadableStreamDefaultReader<Uint8Array>; contentType: string | null}

async function read(
  {bytes, contentType}: OpenBody,
  request: StreamRequest,
  subscriber: Subscriber<AnswerEvent>,
): Promise<void> {
  const {log, now, lastSeq, isResumed: isNumbered} = request
  const reader = createAnswerReader({contentType, log, lastSeq, isNumbered})
  const nameEvents = createNaming(request)
  let lastHeard = now()

  const emit = (parts: readonly AnswerPart[]) => {
    const events = parts.flatMap(nameEvents)
    for (const event of request.joinsDeltas === true ? joinDeltas(events) : events) subscriber.next(event)
    if (parts.some(({kind}) => kind === 'completed' || kind === 'failed')) subscriber.complete()
    return parts.length
  }
  const hear = (count: number) => {
    if (count === 0 && now() - lastHeard < aliveInterval) return
    lastHeard = now()
    if (count === 0) subscriber.next({type: 'answer.pinged'})
  }

  for (let chunk = await bytes.read(); !chunk.done; chunk = await bytes.read()) {
    hear(emit([...reader.push(chunk.value)]))
    if (subscriber.closed) return
  }
  emit([...reader.end()])
  subscriber.complete()
}

/** The events of an answer's bytes, until the bytes or the answer end. Errors with an `ApiError` if reading fails. */
export const readAnswer$ = (answer: OpenBody, request: StreamRequest): Observable<AnswerEvent> =>
  new Observable((subscriber) => {
    read(answer, request, subscriber).catch((reason: unknown) => subscriber.error(errorOfFetch(reason)))
  })
