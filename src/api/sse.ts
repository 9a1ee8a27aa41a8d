import {createLineReader} from './line-reader.ts'

/**
 * A `data:` line with the `id:` of its event so far, or the blank line that ends the event. Lines come one at a time,
 * since some servers never send a blank line (spec §7 promises lines only).
 */
export type EventLine = {data: string; id: string | undefined} | 'end'

export type EventReader = {
  push(bytes: Uint8Array): Generator<EventLine, void>
  /** The last line, if no line break ended it. */
  end(): EventLine | undefined
}

/** `undefined` for a comment. */
const readField = (line: string): {name: string; value: string} | undefined => {
  const colon = line.indexOf(':')
  if (colon === 0) return undefined
  if (colon === -1) return {name: line, value: ''}
  return {name: line.slice(0, colon), value: line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)}
}

/**
 * Bytes → the lines of an event stream by the WHATWG standard "server-sent events", however the bytes are cut (security
 * R35). Types of events and pauses before a reconnection mean nothing here. Throws `StreamLimitError` on a longer line.
 */
export const createEventReader = (): EventReader => {
  const lines = createLineReader()
  let id: string | undefined

  const readLine = (line: string): EventLine | undefined => {
    if (line === '') {
      id = undefined
      return 'end'
    }
    const field = readField(line)
    if (field?.name === 'id' && !field.value.includes('\0')) id = field.value
    return field?.name === 'data' ? {data: field.value, id} : undefined
  }

  return {
    *push(bytes) {
      for (const text of lines.push(bytes)) {
        const line = readLine(text)
        if (line !== undefined) yield line
      }
    },
    end() {
      const text = lines.end()
      return text === undefined ? undefined : readLine(text)
    },
  }
}
