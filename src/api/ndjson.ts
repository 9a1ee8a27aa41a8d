import {createLineReader, maxEventBytes} from './line-reader.ts'
import {parseJson} from '#domain/parse-json.ts'

/** A parsed JSON line, or the text of a malformed one. */
export type JsonLine = {value: unknown} | {malformed: string}

export type JsonLineReader = {
  push(bytes: Uint8Array): Generator<JsonLine, void>
  /** The last line, if no line break ended it. */
  end(): JsonLine | undefined
}

const isBlank = (line: string) => /^[ \t\r]*$/.test(line)

const readLine = (line: string): JsonLine => {
  const value = parseJson(line)
  return value === undefined ? {malformed: line} : {value}
}

/** Bytes → JSON lines, however the bytes are cut (security R37). Skips blank lines. */
export const createJsonLineReader = ({maxBytes = maxEventBytes}: {maxBytes?: number} = {}): JsonLineReader => {
  const lines = createLineReader({breaks: 'newline', maxLineBytes: maxBytes})
  return {
    *push(bytes) {
      for (const line of lines.push(bytes)) if (!isBlank(line)) yield readLine(line)
    },
    end() {
      const line = lines.end()
      return line === undefined || isBlank(line) ? undefined : readLine(line)
    },
  }
}
