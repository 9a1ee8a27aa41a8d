import {statusOfCode} from '#domain/error-kinds.ts'
import {HttpFailure} from '../../http/failure.ts'
import {contentTypes, createFrameWriter, ping, type AnswerForm, type FrameWriter} from './answer-frames.ts'
import type {AnswerRow} from './answer-store.ts'
import type {Connection, Connections} from '../../work/connections.ts'
import {followAnswer, type FollowParts, type FollowStep} from './follow-answer.ts'

export type ResponseParts = FollowParts & {connections: Connections}

export type AnswerRequest = {
  answer: AnswerRow
  form: AnswerForm
  /** The last delta the client has; 0 for all. */
  lastSeq: number
  credentialId: string | undefined
  /** Cuts the client's connection, where there is one. */
  drop?: () => void
  /** Aborts when the client is gone. */
  left: AbortSignal
  headers?: Record<string, string>
}

/**
 * Bytes that may wait in a connection. The deltas themselves are pulled from memory or rows as the client reads, so a slow
 * reader costs no more than this (security R67 allows 1 MiB); one that reads nothing from one ping to the next is dropped
 * and resumes.
 */
const highWaterMark = 64 * 1024

/** The answer in the form the client asked for. A client that leaves only leaves; the answer goes on (security R40). */
export const answerResponse = (parts: ResponseParts, request: AnswerRequest): Promise<Response> =>
  request.form === 'json' ? jsonResponse(parts, request) : streamResponse(parts, request, request.form)

async function jsonResponse(parts: ResponseParts, {answer, headers, left}: AnswerRequest): Promise<Response> {
  let text = ''
  let outcome: 'truncated' | undefined
  for await (const step of follow(parts, answer, 0, left)) {
    if ('deltas' in step) {
      text += step.deltas.map((delta) => delta.text).join('')
    } else if (step.end.state === 'failed') {
      const {code, message} = step.end.error
      throw new HttpFailure(statusOfCode(code), code, message)
    } else outcome = step.end.outcome
  }
  return Response.json({answer: text, id: answer.conversationId, outcome}, {headers})
}

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
  const writer = await prepareWriter(form, request, steps)
  const body = createBody(parts.connections, request, form, writer, steps, leaving)
  return new Response(body, {
    headers: {
      'content-type': contentTypes[form],
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...request.headers,
    },
  })
}

type Prepared = {writer: FrameWriter; first: FollowStep | undefined}

/** For ndjson, takes the deltas the client has already from the steps. */
async function prepareWriter(
  form: 'event-stream' | 'ndjson',
  {answer, lastSeq}: AnswerRequest,
  steps: AsyncGenerator<FollowStep>,
): Promise<Prepared> {
  if (form === 'event-stream' || lastSeq === 0)
    return {writer: createFrameWriter(form, answer, lastSeq, ''), first: undefined}
  let before = ''
  for (;;) {
    const step = await nextStep(steps)
    const prepared = (first: FollowStep | undefined) => ({
      writer: createFrameWriter(form, answer, lastSeq, before),
      first,
    })
    if (step === undefined || 'end' in step) return prepared(step)
    before += step.deltas.map(({seq, text}) => (seq <= lastSeq ? text : '')).join('')
    const rest = step.deltas.filter(({seq}) => seq > lastSeq)
    const isThere = (step.deltas.at(-1)?.seq ?? 0) >= lastSeq
    if (isThere) return prepared(rest.length > 0 ? {deltas: rest} : undefined)
  }
}

function createBody(
  connections: Connections,
  {answer, credentialId, drop}: AnswerRequest,
  form: 'event-stream' | 'ndjson',
  {writer, first}: Prepared,
  steps: AsyncGenerator<FollowStep>,
  leaving: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let hasRead = true
  let remove: () => void = () => undefined
  let waiting = first

  const write = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) => {
    if (text !== '') controller.enqueue(encoder.encode(text))
  }
  const leave = () => {
    remove()
    leaving.abort()
  }

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const connection: Connection = {
          userId: answer.userId,
          credentialId,
          ping: () => {
            if (form === 'event-stream' && (controller.desiredSize ?? 0) > 0) write(controller, ping)
          },
          isStalled: () => {
            const isFull = (controller.desiredSize ?? 1) <= 0
            const isStalled = isFull && !hasRead
            hasRead = false
            return isStalled
          },
          close: () => {
            leave()
            // Cut and not ended: nobody shall take what was sent for all there was.
            if (drop) drop()
            else controller.error(new Error('The stream was closed by the server; the answer goes on.'))
          },
        }
        const added = connections.add(connection)
        if (added === undefined)
          throw new HttpFailure(429, 'too_many_requests', 'Too many open streams. Close one first.', {
            retryAfterSeconds: 5,
          })
        remove = added
        write(controller, writer.head())
      },
      pull: async (controller) => {
        hasRead = true
        try {
          const step = waiting ?? (await nextStep(steps))
          waiting = undefined
          if (leaving.signal.aborted) return
          if (step !== undefined && 'deltas' in step) return write(controller, writer.deltas(step.deltas))
          if (step !== undefined) write(controller, writer.end(step.end))
          leave()
          controller.close()
        } catch (error) {
          leave()
          throw error
        }
      },
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({highWaterMark}),
  )
}

async function nextStep(steps: AsyncGenerator<FollowStep>): Promise<FollowStep | undefined> {
  const result = await steps.next()
  return result.done ? undefined : result.value
}
