import {answerFrame, doneMarker} from '#contract/answer-frames.ts'
import {messageOutcomes, type MessageOutcome} from '#contract/chat.ts'
import {codeOfStatus} from '#domain/error-kinds.ts'
import {failureOfBody, type Failure} from '#domain/failure.ts'
import {isRecord} from '#contract/is-record.ts'
import {parseJson} from '#domain/parse-json.ts'
import {readLeniently} from './lenient-answer.ts'

/** One statement of the server about an answer. */
export type AnswerPart =
  | {
      kind: 'started'
      conversation: string
      /** Only our server names the message and the attempt. */
      message?: string
      attempt?: number
      question?: string
      provider?: string
      sandbox?: boolean
    }
  | {kind: 'text'; seq: number; text: string}
  | {kind: 'completed'; outcome?: 'truncated'}
  | {kind: 'failed'; failure: Failure; outcome: MessageOutcome}

/** An unvalidated frame. */
export type Frame = Record<string, unknown>
export const isFrame = (value: unknown): value is Frame =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `[DONE]`, a JSON object, or undefined for any other line. */
export const parseFrame = (text: string): Frame | typeof doneMarker | undefined => {
  const trimmedText = text.trim()
  if (trimmedText === doneMarker) return doneMarker
  if (!trimmedText.startsWith('{')) return undefined
  const value = parseJson(trimmedText)
  return isFrame(value) ? value : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
/** Not empty: some servers send an error object of empty values beside text. */
const isSaid = (value: unknown) => value != null && value !== '' && value !== false
const isCode = (value: unknown) => isText(value) || (typeof value === 'number' && value >= 400)

/** `{error: …}`, `{type: 'error'}`, `{success: false}` and the older `{code, detail}` (contract/errors §1). */
const saysError = (frame: Frame) => {
  const {type, success, error, code, detail, delta_answer: delta, answer} = frame
  if (type === 'error' || success === false || isText(error)) return true
  const hasText = delta !== undefined || answer !== undefined
  if (isRecord(error)) return !hasText || Object.values(error).some(isSaid)
  return isCode(code) && isText(detail) && !hasText
}

/** Some servers send an HTTP status as the code. */
const withoutNumericCode = (failure: Failure): Failure => {
  if (!/^[45]\d\d$/.test(failure.code)) return failure
  const status = Number(failure.code)
  return {...failure, code: codeOfStatus(status), status: failure.status ?? status}
}

/** The failure that a frame reports, if any. */
const failureOfFrame = (frame: Frame): (AnswerPart & {kind: 'failed'}) | undefined => {
  if (!saysError(frame)) return undefined
  const status = typeof frame.status === 'number' ? frame.status : undefined
  return {
    kind: 'failed',
    failure: withoutNumericCode(failureOfBody(frame, status)),
    outcome: messageOutcomes.find((outcome) => outcome === frame.outcome) ?? 'refused',
  }
}

/** Longest id that the schema takes. */
const longestId = 128

/**
 * The text of a frame with a text alone, beside it at most an id, as nearly all frames of an answer are; undefined for
 * any other. The schema says the same of such a frame, and takes many times as long.
 */
const bareText = (frame: Frame): string | undefined => {
  for (const name in frame) if (name !== 'id' && name !== 'delta_answer') return undefined
  const {id, delta_answer: delta} = frame
  const isId = id === undefined || (isText(id) && id.length <= longestId)
  return isId && typeof delta === 'string' ? delta : undefined
}

export type FrameReader = {
  /** The parts of a frame, in order. `eventId` is the event's `id:` on an event stream. */
  read(frame: Frame, eventId?: string): AnswerPart[]
}

export type FrameReaderOptions = {
  /** Last sequence number the client has: a resumed answer continues after it. */
  lastSeq?: number
  /** Set for a resumed answer of our server, which numbers from its first line. */
  isNumbered?: boolean
  onMalformed: (reason: string) => void
}

/**
 * Frames → parts. Our server numbers deltas; for other servers the reader counts them. If a frame holds only the
 * cumulative `answer`, the part is its new suffix.
 */
export const createFrameReader = ({lastSeq = 0, isNumbered = false, onMalformed}: FrameReaderOptions): FrameReader => {
  let seq = lastSeq
  let isOurs = isNumbered
  let hasStarted = false
  let whole = ''

  const nextSeq = (eventId: string | undefined) => {
    const idNumber = isOurs && eventId !== undefined && /^\d{1,15}$/.test(eventId) ? Number(eventId) : undefined
    seq = idNumber ?? seq + 1
    return seq
  }

  const newText = (delta: string | null | undefined, answer: string | null | undefined) => {
    if (delta != null) {
      whole += delta
      return delta
    }
    if (answer == null) return ''
    if (!answer.startsWith(whole)) {
      onMalformed('an answer that does not continue the text before it')
      return ''
    }
    const addition = answer.slice(whole.length)
    whole = answer
    return addition
  }

  return {
    read(frame, eventId) {
      const bare = hasStarted || frame.id === undefined ? bareText(frame) : undefined
      if (bare !== undefined) {
        whole += bare
        return bare === '' ? [] : [{kind: 'text', seq: nextSeq(eventId), text: bare}]
      }
      const frameFailure = failureOfFrame(frame)
      if (frameFailure !== undefined) return [frameFailure]
      const result = readLeniently(answerFrame, frame)
      if (result === undefined) {
        onMalformed('a frame of another shape')
        return []
      }
      for (const key of result.left) onMalformed(`the value of "${key}", which has another type`)
      const {
        id,
        message,
        attempt,
        question,
        provider,
        sandbox,
        delta_answer: delta,
        answer,
        state,
        outcome,
      } = result.data
      const parts: AnswerPart[] = []
      if (id != null && !hasStarted) {
        hasStarted = true
        isOurs ||= message != null
        parts.push({
          kind: 'started',
          conversation: id,
          ...(message == null ? {} : {message}),
          ...(attempt == null ? {} : {attempt}),
          ...(question == null ? {} : {question}),
          ...(provider == null ? {} : {provider}),
          ...(sandbox == null ? {} : {sandbox}),
        })
      }
      const text = newText(delta, answer)
      if (text !== '') parts.push({kind: 'text', seq: nextSeq(eventId), text})
      if (outcome === 'truncated') parts.push({kind: 'completed', outcome})
      else if (state === 'finished') parts.push({kind: 'completed'})
      return parts
    },
  }
}
