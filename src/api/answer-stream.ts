import {concat, Observable, of} from 'rxjs'
import type {AnswerEvent, AnswerInput} from '#domain/answer.ts'
import type {Failure} from '#domain/failure.ts'
import {ApiError, errorOfFetch, failureOfResponse} from './api-error.ts'
import {createDeadline} from './deadline.ts'
import {readAnswer$, type OpenBody, type StreamRequest} from './read-answer.ts'
import {parseJson} from '#domain/parse-json.ts'

/** A stream the browser cannot read (spec §8). */
const unreadableStream: Failure = {code: 'api_error', detail: 'ReadableStream not supported.', status: 500}

/** Security R44. */
const connectTimeout = 15_000

const refusalOf = async (response: Response) => {
  const text = await response.text()
  return new ApiError(failureOfResponse(parseJson(text), response.status))
}

/** Body of a question, as the specification's app sends it; `resume`, `version_of`, `after`, `answer_to` and `preset` are ours. */
const bodyOf = ({
  request,
  conversation,
  model,
  preset,
  capabilities,
  versionOf,
  after,
  answerTo,
  exchange,
}: AnswerInput) => {
  const {question, references, message, attempt, lastSeq} = exchange
  return request === 'resume'
    ? {action: 'resume', id: conversation, message, attempt, last_seq: lastSeq}
    : {
        question: question.trim(),
        model,
        references,
        ...(conversation === undefined
          ? {preset: capabilities.includes('preset') ? preset : undefined}
          : {id: conversation}),
        version_of: versionOf,
        after,
        answer_to: answerTo,
        stateful: true,
      }
}

const idempotencyKey = ({request, capabilities, exchange}: AnswerInput): Record<string, string> =>
  request === 'ask' && exchange.key !== '' && capabilities.includes('idempotency')
    ? {'idempotency-key': exchange.key}
    : {}

/**
 * Sends a request and reads its body with `read`. Cold: subscribing sends, unsubscribing aborts. Errors with an {@link
 * ApiError}: refused by status, or `lost` if no answer arrives within 15 s or the connection breaks.
 */
export const openBody$ = <T>(
  request: Pick<StreamRequest, 'fetch' | 'init'>,
  read: (body: OpenBody) => Observable<T>,
): Observable<T> =>
  new Observable((subscriber) => {
    const controller = new AbortController()
    let body: ReadableStreamDefaultReader<Uint8Array> | undefined

    const connect = async () => {
      const {url, headers, body: question} = request.init()
      const deadline = createDeadline(connectTimeout, controller.signal)
      const options = {method: 'POST', headers, body: JSON.stringify(question), signal: deadline.signal}
      try {
        const response = await request.fetch(url, options)
        if (!response.ok) throw await refusalOf(response)
        if (response.body === null) throw new ApiError(unreadableStream)
        body = response.body.getReader()
        return {bytes: body, contentType: response.headers.get('content-type')}
      } finally {
        deadline.clear()
      }
    }
    connect()
      .then((answer) => {
        if (!subscriber.closed) subscriber.add(read(answer).subscribe(subscriber))
      })
      .catch((reason: unknown) => {
        if (!controller.signal.aborted) subscriber.error(errorOfFetch(reason))
      })
    return () => {
      controller.abort()
      body?.cancel().catch(() => undefined) // a failed body cannot be canceled and needs no cancel
    }
  })

/**
 * One answer. Cold: subscribing sends the request, unsubscribing aborts it (the server does not treat that as a stop).
 * Completes when the bytes end, with or without `answer.completed`. Errors like {@link openBody$}.
 */
const openAnswer$ = (request: StreamRequest): Observable<AnswerEvent> =>
  openBody$(request, (body) => concat(of({type: 'answer.connected'} as const), readAnswer$(body, request)))

type AskDeps = Pick<StreamRequest, 'fetch' | 'log' | 'now' | 'joinsDeltas'> & {
  /** Address, headers and body of a request, made when it is sent. */
  send: (body: object, headers: Record<string, string>) => ReturnType<StreamRequest['init']>
}

/** The answer to a question, or the rest of one; as {@link openAnswer$}. */
export function askAnswer$(input: AnswerInput, {send, ...deps}: AskDeps): Observable<AnswerEvent> {
  const {message, attempt, lastSeq} = input.exchange
  const isResumed = input.request === 'resume'
  return openAnswer$({
    ...deps,
    init: () => send(bodyOf(input), idempotencyKey(input)),
    message,
    attempt,
    lastSeq: isResumed ? lastSeq : 0,
    isResumed,
  })
}
