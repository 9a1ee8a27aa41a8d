import {doneMarker} from '#contract/answer-frames.ts'
import {defaultDetail} from '#domain/error-kinds.ts'
import type {Failure} from '#domain/failure.ts'
import {createFrameReader, isFrame, parseFrame, type AnswerPart, type FrameReaderOptions} from './answer-frame.ts'
import {maxEventBytes, StreamLimitError} from './line-reader.ts'
import type {Log} from '#domain/log.ts'
import {createJsonLineReader, type JsonLine} from './ndjson.ts'
import {createEventReader, type EventLine} from './sse.ts'

/** Limit of one answer's text in UTF-8 bytes (security R38). */
const maxAnswerBytes = 8 * 1024 * 1024
const maxLoggedLines = 20

export type StreamReader = {
  /** The parts of these bytes. Nothing follows `completed` or `failed`. */
  push(bytes: Uint8Array): Generator<AnswerPart, void>
  /** The bytes ended. A last line without a line break still counts; without `completed` the answer was cut off. */
  end(): Generator<AnswerPart, void>
}

export type AnswerReaderOptions = {
  contentType: string | null
  log: Log
  /** Most bytes of the answer's text. */
  maxBytes?: number
} & Pick<FrameReaderOptions, 'lastSeq' | 'isNumbered'>

/** Reads the bytes of one framing into parts. */
type Framing = {push(bytes: Uint8Array): Iterable<AnswerPart>; end(): Iterable<AnswerPart>}
type Frames = {
  /** `undefined` when the text is not a frame. */
  readText: (text: string, eventId?: string) => AnswerPart[] | undefined
  readValue: (value: unknown) => AnswerPart[] | undefined
  skip: (text: string) => void
}

const failed = (failure: Failure): AnswerPart => ({kind: 'failed', failure, outcome: 'refused'})

/**
 * Lenient (security R36): emits a `data:` line that is a frame at once, without waiting for the blank line, which the
 * specification does not promise. A line that is not a frame waits for the end of its event, then is logged and
 * skipped.
 */
const eventStream = ({readText, skip}: Frames): Framing => {
  const lines = createEventReader()
  let unread: string[] = []
  let unreadLength = 0

  function* finish(): Generator<AnswerPart, void> {
    if (unread.length === 0) return
    const data = unread.join('\n')
    unread = []
    unreadLength = 0
    const parts = readText(data)
    if (parts === undefined) skip(data)
    else yield* parts
  }
  function* read(line: EventLine): Generator<AnswerPart, void> {
    if (line === 'end') return yield* finish()
    const parts = readText(line.data, line.id)
    if (parts !== undefined) return yield* parts
    unreadLength += line.data.length + 1
    if (unreadLength > maxEventBytes) throw new StreamLimitError(`An event has more than ${maxEventBytes} bytes.`)
    unread.push(line.data)
  }
  return {
    *push(bytes) {
      for (const line of lines.push(bytes)) yield* read(line)
    },
    *end() {
      const line = lines.end()
      if (line !== undefined) yield* read(line)
      yield* finish()
    },
  }
}

const jsonLines = ({readValue, skip}: Frames): Framing => {
  const lines = createJsonLineReader()
  const readLine = (line: JsonLine) => {
    const parts = 'value' in line ? readValue(line.value) : undefined
    if (parts === undefined) skip('value' in line ? JSON.stringify(line.value) : line.malformed)
    return parts ?? []
  }
  return {
    *push(bytes) {
      for (const line of lines.push(bytes)) yield* readLine(line)
    },
    *end() {
      const line = lines.end()
      if (line !== undefined) yield* readLine(line)
    },
  }
}

/** One JSON object `{answer, id}`, read once complete (contract/chat §3). Some servers label ndjson as JSON. */
const wholeJson = (frames: Frames): Framing => {
  const pieces: Uint8Array[] = []
  let length = 0
  return {
    push(bytes) {
      length += bytes.length
      if (length > maxAnswerBytes + maxEventBytes) throw new StreamLimitError('The body is too long.')
      pieces.push(bytes.slice())
      return []
    },
    *end() {
      const body = new Uint8Array(length)
      let at = 0
      for (const piece of pieces) {
        body.set(piece, at)
        at += piece.length
      }
      const parts = frames.readText(new TextDecoder().decode(body))
      if (parts === undefined) {
        const lines = jsonLines(frames)
        yield* lines.push(body)
        yield* lines.end()
        return
      }
      yield* parts
      if (parts.some((part) => part.kind === 'text')) yield {kind: 'completed'}
      else yield failed({code: 'api_error', detail: defaultDetail})
    },
  }
}

/** A web page of a proxy or captive portal instead of an answer. */
const webPage = (): Framing => {
  const refusal = failed({code: 'unknown', detail: 'The server sent a web page instead of an answer.', status: 200})
  return {push: () => [refusal], end: () => [refusal]}
}

const opening = {html: 0x3c, json: 0x7b}
const isBlankByte = (byte: number) => byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf

/** Chooses by content type, else by the first byte that is not white space or a byte order mark. */
const chooseFraming = (contentType: string, first: number, frames: Frames): Framing => {
  if (contentType.includes('html') || first === opening.html) return webPage()
  if (/ndjson|jsonl|json-seq/.test(contentType)) return jsonLines(frames)
  if (contentType.includes('json')) return wholeJson(frames)
  return first === opening.json ? wholeJson(frames) : eventStream(frames)
}

/**
 * Reads the bytes of an answer into parts for each known framing: event stream, ndjson or JSON. The result does not
 * depend on how the bytes are cut. Never throws.
 */
export const createAnswerReader = (options: AnswerReaderOptions): StreamReader => {
  const {log, maxBytes = maxAnswerBytes} = options
  const contentType = options.contentType?.toLowerCase() ?? ''
  const encoder = new TextEncoder()
  let framing: Framing | undefined
  let answerBytes = 0
  let loggedLines = 0
  let isOver = false

  const note = (reason: string, line?: string) => {
    loggedLines += 1
    if (loggedLines > maxLoggedLines) return
    log(`Skipped in an answer: ${reason}`, line === undefined ? undefined : {start: line.slice(0, 120)})
  }
  const reader = createFrameReader({...options, onMalformed: note})
  const frames: Frames = {
    readText(text, eventId) {
      const frame = parseFrame(text)
      if (frame === doneMarker) return [{kind: 'completed'}]
      return frame === undefined ? undefined : reader.read(frame, eventId)
    },
    readValue: (value) => (isFrame(value) ? reader.read(value) : undefined),
    skip: (text) => note('a line that is not JSON', text),
  }

  const isOverLimit = (part: AnswerPart) => {
    if (part.kind === 'text') answerBytes += encoder.encode(part.text).length
    return answerBytes > maxBytes
  }
  const tooLong = () => failed({code: 'api_error', detail: 'The answer is too long.'})

  function* guard(parts: () => Iterable<AnswerPart>): Generator<AnswerPart, void> {
    try {
      for (const part of parts()) {
        const next = isOverLimit(part) ? tooLong() : part
        isOver = next.kind === 'completed' || next.kind === 'failed'
        yield next
        if (isOver) return
      }
    } catch (error) {
      if (!(error instanceof StreamLimitError)) throw error
      log(error.message)
      isOver = true
      yield tooLong()
    }
  }

  return {
    *push(bytes) {
      if (isOver) return
      let start = 0
      if (framing === undefined) {
        while (start < bytes.length && isBlankByte(bytes[start] ?? 0)) start += 1
        const first = bytes[start]
        if (first === undefined) return
        framing = chooseFraming(contentType, first, frames)
      }
      const current = framing
      yield* guard(() => current.push(bytes.subarray(start)))
    },
    *end() {
      if (isOver || framing === undefined) return
      const current = framing
      yield* guard(() => current.end())
    },
  }
}
