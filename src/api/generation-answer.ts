import {failureOfBody} from '#domain/failure.ts'
import {isRecord} from '#contract/is-record.ts'
import type {Log} from '#domain/log.ts'
import {parseJson} from '#domain/parse-json.ts'
import {ApiError} from './api-error.ts'
import {createJsonLineReader, type JsonLine} from './ndjson.ts'

/** First answer of a generation call: the task, or the whole result of a call that finished at once. */
export type GenerationAnswer = {task: string | undefined; response: Record<string, unknown>}

/** The first line with an outcome decides: it names the task, or the refusal. */
export type GenerationReader = {
  push(bytes: Uint8Array): GenerationAnswer | undefined
  /** Reads the whole body, after it ended. */
  end(): GenerationAnswer | undefined
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''

/** `{error: …}`, `{type: 'error'}`, `{success: false}` and the older `{code, detail}` (contract/errors §1). */
const hasError = ({error, type, success, code, detail}: Record<string, unknown>) =>
  isRecord(error) || isText(error) || type === 'error' || success === false || (isText(code) && isText(detail))

/** Throws an `ApiError` if the server created no task. A failed task is still a task. */
function answerOf(body: unknown): GenerationAnswer | undefined {
  // some servers wrap the task in a list
  const value: unknown = Array.isArray(body) ? body[0] : body
  if (!isRecord(value)) return undefined
  const {task_id: task} = value
  if (typeof task === 'string' && task !== '') return {task, response: value}
  if (hasError(value)) throw new ApiError(failureOfBody(value))
  return {task: undefined, response: value}
}

/**
 * Reads the answer of a generation call with status 200: JSON lines, or one JSON document over several lines, whatever
 * its content type. A body that begins with an open bracket is a document until its end proves otherwise, since a line
 * within it may be valid JSON.
 */
export function createGenerationReader(log: Log): GenerationReader {
  const lines = createJsonLineReader()
  const heldLines: JsonLine[] = []
  let isDocument: boolean | undefined
  let last: GenerationAnswer | undefined

  const read = (line: JsonLine): GenerationAnswer | undefined => {
    if ('malformed' in line) {
      log('A line of a generation was not JSON and was skipped')
      return undefined
    }
    last = answerOf(line.value) ?? last
    return last?.task === undefined ? undefined : last
  }
  const take = (line: JsonLine): GenerationAnswer | undefined => {
    isDocument ??= 'malformed' in line && /^\s*[[{]/.test(line.malformed)
    if (!isDocument) return read(line)
    heldLines.push(line)
    return undefined
  }
  const readDocument = (): GenerationAnswer | undefined => {
    const text = heldLines.map((line) => ('malformed' in line ? line.malformed : JSON.stringify(line.value))).join('\n')
    const answer = answerOf(parseJson(text))
    if (answer !== undefined) return answer
    for (const line of heldLines) {
      const lineAnswer = read(line)
      if (lineAnswer !== undefined) return lineAnswer
    }
    return last
  }
  return {
    push(bytes) {
      for (const line of lines.push(bytes)) {
        const answer = take(line)
        if (answer !== undefined) return answer
      }
      return undefined
    },
    end() {
      const rest = lines.end()
      const answer = rest === undefined ? undefined : take(rest)
      if (answer !== undefined) return answer
      return isDocument === true ? readDocument() : last
    },
  }
}
