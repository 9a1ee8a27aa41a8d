import {statusOfCode} from '#domain/error-kinds.ts'
import {HttpFailure, type FailureId} from '../../http/failure.ts'
import type {Client} from '../../http/route.ts'
import {
  contentTypes,
  createFollowWriter,
  createFrameWriter,
  ping,
  type AnswerForm,
  type FrameWriter,
} from './answer-frames.ts'
import type {AnswerRow} from './answer-store.ts'
import type {AnswerEnd} from './live-answer.ts'
import type {Connections} from '../../runs/connections.ts'
import {followAnswer, type FollowParts, type FollowStep} from './follow-answer.ts'
import {followAnswers, type FollowPosition} from './follow-answers.ts'
import {streamOf} from '../../runs/stream-body.ts'

export type ResponseParts = FollowParts & {connections: Connections}

export type AnswerRequest = {
  answer: AnswerRow
  /** Id of the question, for a client that has just asked it. */
  question?: string | undefined
  form: AnswerForm
  /** The last delta the client has; 0 for all. */
  lastSeq: number
  credentialId: string | undefined
  /** The client's connection, where there is one. */
  client?: Client | undefined
  /** Aborts when the client is gone or this process ends. */
  left: AbortSignal
  headers?: Record<string, string>
}

/** The answer in the form the client asked for. A client that leaves only leaves; the answer goes on (security R40). */
export const answerResponse = (parts: ResponseParts, request: AnswerRequest): Promise<Response> =>
  request.form === 'json' ? jsonResponse(parts, request) : streamResponse(parts, request, request.form)

/** The whole answer or a refusal: text without an end, which the steps leave when this process ends, is none. */
async function jsonResponse(parts: ResponseParts, {answer, headers, left}: AnswerRequest): Promise<Response> {
  let text = ''
  for await (const step of follow(parts, answer, 0, left)) {
    if ('deltas' in step) text += step.deltas.map((delta) => delta.text).join('')
    else return wholeAnswer(answer, {text, end: step.end, headers})
  }
  throw new HttpFailure(503, 'busy', 'serverEnds', {retryAfterSeconds: 1, cause: left.reason})
}

type Whole = {text: string; end: AnswerEnd; headers: Record<string, string> | undefined}

function wholeAnswer({conversationId}: AnswerRow, {text, end, headers}: Whole): Response {
  if (end.state === 'failed') {
    const {code, message} = end.error
    throw new HttpFailure(statusOfCode(code), code, {text: message})
  }
  return Response.json({answer: text, id: conversationId, outcome: end.outcome}, {headers})
}

/** A client that reads nothing is dropped; it can resume. */
const streamForm = (form: 'event-stream' | 'ndjson') => ({
  contentType: contentTypes[form],
  ping: () => (form === 'event-stream' ? ping : undefined),
  dropsStalled: true,
})

const follow = (parts: FollowParts, {id, userId}: AnswerRow, lastSeq: number, signal: AbortSignal) =>
  followAnswer(parts, {answerId: id, userId, lastSeq}, signal)

async function streamResponse(
  parts: ResponseParts,
  request: AnswerRequest,
  form: 'event-stream' | 'ndjson',
): Promise<Response> {
  const {answer, lastSeq} = request
  // A line of ndjson holds the whole answer, so the deltas before lastSeq are read as well, but not sent.
  const start = form === 'ndjson' ? 0 : lastSeq
  const leaving = new AbortController()
  const steps = follow(parts, answer, start, leaving.signal)
  const {writer, first} = await prepareWriter(form, request, steps)
  let waiting = first
  let isOver = false
  const write = (step: FollowStep): string => {
    if ('deltas' in step) return writer.deltas(step.deltas)
    isOver = true
    return writer.end(step.end)
  }
  const writeNext = ({done, value}: IteratorResult<FollowStep>) => (done === true ? undefined : write(value))
  return streamOf(parts.connections, {
    ...streamForm(form),
    userId: answer.userId,
    credentialId: request.credentialId,
    client: request.client,
    headers: request.headers,
    head: writer.head(),
    // no `async` function: it would be two more turns of each word
    pull: () => {
      if (isOver) return Promise.resolve(undefined)
      if (waiting === undefined) return steps.next().then(writeNext)
      const text = write(waiting)
      waiting = undefined
      return Promise.resolve(text)
    },
    leaving,
  })
}

type ResponseStart = {writer: FrameWriter; first: FollowStep | undefined}

/** For ndjson, takes the deltas the client has already from the steps. */
async function prepareWriter(
  form: 'event-stream' | 'ndjson',
  {answer, question, lastSeq}: AnswerRequest,
  steps: AsyncIterator<FollowStep>,
): Promise<ResponseStart> {
  if (form === 'event-stream' || lastSeq === 0)
    return {writer: createFrameWriter(form, {...answer, question}, lastSeq, ''), first: undefined}
  let before = ''
  for (;;) {
    const step = await nextStep(steps)
    const prepared = (first: FollowStep | undefined) => ({
      writer: createFrameWriter(form, {...answer, question}, lastSeq, before),
      first,
    })
    if (step === undefined || 'end' in step) return prepared(step)
    before += step.deltas.map(({seq, text}) => (seq <= lastSeq ? text : '')).join('')
    const rest = step.deltas.filter(({seq}) => seq > lastSeq)
    const isThere = (step.deltas.at(-1)?.seq ?? 0) >= lastSeq
    if (isThere) return prepared(rest.length > 0 ? {deltas: rest} : undefined)
  }
}

async function nextStep<T>(steps: AsyncIterator<T>): Promise<T | undefined> {
  const result = await steps.next()
  return result.done ? undefined : result.value
}

export type FollowRequest = Pick<AnswerRequest, 'form' | 'credentialId' | 'client'> & {
  userId: string
  named: readonly FollowPosition[]
  /** A message in the language of the client. */
  say: (id: FailureId) => string
}

/** All running answers of a user in one stream, which stays open until the client leaves. */
export function followResponse(parts: ResponseParts, request: FollowRequest): Response {
  const {userId, named, credentialId, client} = request
  const form = request.form === 'ndjson' ? 'ndjson' : 'event-stream'
  const leaving = new AbortController()
  const steps = followAnswers(parts, {userId, named}, leaving.signal)
  const write = createFollowWriter(form, request.say)
  return streamOf(parts.connections, {
    ...streamForm(form),
    userId,
    credentialId,
    client,
    // the client knows at once that it is followed, also when nothing runs yet
    head: form === 'event-stream' ? ping : '\n',
    pull: async () => {
      const step = await nextStep(steps)
      return step && write(step)
    },
    leaving,
  })
}
