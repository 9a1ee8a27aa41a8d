import {createParser} from 'eventsource-parser'
import {parseJson} from '#domain/parse-json.ts'

/**
 * One piece of the answer of a model server:
 * - `value`: one JSON value, from a `data:` line, an ndjson line or a whole JSON body
 * - `done`: `[DONE]`
 * - `error`: the value of the non-standard SSE field `error:` of old llama.cpp builds, or the data of `event: error`
 * - `malformed`: a line that is not JSON; it alone is skipped
 * - `html`: a page instead of an answer
 * - `cut`: the stream ended inside a line
 * - `whole`: JSON or ndjson ended after a complete value; these have no other mark of their end. An event stream has
 *   one
 */
export type Payload =
  | {kind: 'value'; value: unknown}
  | {kind: 'error'; value: unknown}
  | {kind: 'done' | 'html' | 'cut' | 'whole'}
  | {kind: 'malformed'; text: string}

/** In characters. */
type Limits = {event: number; document: number}
const usualLimits: Limits = {event: 1024 * 1024, document: 8 * 1024 * 1024}

/** Takes a body piece by piece, each piece at once, so that a word waits for nothing on its way. */
type PayloadReader = {feed: (piece: string) => Payload[]; finish: () => Payload[]}

/**
 * Reads event streams, ndjson and plain JSON by looking at the first character, since servers are careless with
 * content types. Comments, CRLF, a missing space after `data:` and blank lines before JSON are all fine.
 */
export function createPayloadReader(limits = usualLimits): PayloadReader {
  let start = ''
  let reader: PayloadReader | undefined
  return {
    feed: (piece) => {
      if (reader !== undefined) return reader.feed(piece)
      start = (start + piece).replace(/^[\uFEFF\s]+/, '')
      if (start === '') return []
      reader = readerOf(start, limits)
      return reader.feed(start)
    },
    finish: () => reader?.finish() ?? [],
  }
}

const readerOf = (start: string, limits: Limits): PayloadReader => {
  if (start.startsWith('<')) return pageReader()
  return /^[{[]/.test(start) ? documentReader(limits.document) : eventReader(limits.event)
}

/** Says once that it is a page; nothing else of it counts. */
function pageReader(): PayloadReader {
  let isSaid = false
  return {
    feed: () => {
      if (isSaid) return []
      isSaid = true
      return [{kind: 'html'}]
    },
    finish: () => [],
  }
}

/** An event that is too long is thrown by the next call, after what came before it in its piece. */
function eventReader(longest: number): PayloadReader {
  let payloads: Payload[] = []
  let hasEnded = false
  let tooLong: Error | undefined
  const parser = createParser({
    maxBufferSize: longest,
    onEvent: ({event, data}) => payloads.push(...fromData(data, event === 'error', hasEnded)),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') tooLong = error
      else if (error.field === 'error')
        payloads.push({kind: 'error', value: parseJson(error.value ?? '') ?? error.value})
      else if (hasEnded) payloads.push({kind: 'cut'})
      else if (error.line !== undefined) payloads.push({kind: 'malformed', text: error.line})
    },
  })
  const read = (piece: string): Payload[] => {
    if (tooLong !== undefined) throw tooLong
    parser.feed(piece)
    const batch = payloads
    payloads = []
    return batch
  }
  return {
    feed: read,
    finish: () => {
      hasEnded = true
      return read('\n\n')
    },
  }
}

/** Some servers leave out the blank line between events: then the data is several values, one a line. */
function fromData(data: string, isError: boolean, hasEnded: boolean): Payload[] {
  const whole = fromLine(data, isError)
  if (whole.kind !== 'malformed') return [whole]
  const lines = data.split('\n').map((line) => fromLine(line, isError))
  const last = lines.at(-1)
  if (hasEnded && last?.kind === 'malformed') return [...lines.slice(0, -1), {kind: 'cut'}]
  return lines
}

function fromLine(line: string, isError: boolean): Payload {
  const trimmedLine = line.trim()
  if (trimmedLine === '[DONE]') return {kind: 'done'}
  const value = parseJson(trimmedLine)
  if (isError) return {kind: 'error', value: value ?? trimmedLine}
  return value === undefined ? {kind: 'malformed', text: line} : {kind: 'value', value}
}

/**
 * The first line decides: where it is JSON by itself, each line is; else all of them are one document. A line or
 * document that is too long is thrown by the next call, after the lines before it, as the rest would hide a gap.
 */
function documentReader(longest: number): PayloadReader {
  let line = ''
  /** The lines so far, where they are one document. */
  let document: string | undefined
  let last: Payload | undefined
  let tooLong: Error | undefined

  /** Whether a line still fits to what there is. */
  const fits = (text: string): boolean => {
    if (text.length + (document?.length ?? 0) > longest) tooLong = new RangeError('The JSON body is too long.')
    return tooLong === undefined
  }
  const complete = (text: string): Payload[] => {
    if (!fits(text) || text.trim() === '') return []
    const reading = document === undefined ? fromLine(text, false) : undefined
    if (reading === undefined || (last === undefined && reading.kind === 'malformed')) {
      document = `${document ?? ''}${text}\n`
      return []
    }
    last = reading
    return [reading]
  }
  return {
    feed: (piece) => {
      if (tooLong !== undefined) throw tooLong
      line += piece
      const lines = piece.includes('\n') ? line.split('\n') : [line]
      line = lines.pop() ?? ''
      const payloads = lines.flatMap(complete)
      fits(line)
      return payloads
    },
    finish: () => {
      if (tooLong !== undefined) throw tooLong
      const rest = complete(line)
      if (document !== undefined) {
        const value = parseJson(document)
        return value === undefined ? [{kind: 'cut'}] : [{kind: 'value', value}, {kind: 'whole'}]
      }
      if (last?.kind === 'malformed') return [{kind: 'cut'}]
      return [...rest, {kind: 'whole'}]
    },
  }
}
