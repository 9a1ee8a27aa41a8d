import {createLineReader, maxEventBytes, StreamLimitError} from './lines.ts'

/** One dispatched event. `lastEventId` is the last `id:` of the stream so far, as in the standard. */
export type ServerSentEvent = {type: string; data: string; lastEventId: string}

export type EventReader = {
  push(bytes: Uint8Array): Generator<ServerSentEvent, void>
  /**
   * The event without its closing blank line at the end of the stream. The standard drops it; a lenient caller may use
   * it.
   */
  end(): ServerSentEvent | undefined
  /** Milliseconds of the last `retry:` field. */
  readonly retry: number | undefined
}

export type EventReaderOptions = {
  /**
   * Receives each complete `data:` line at once, with its event's `id:` so far. A consumed line (`true`) does not
   * become a part of the event: some servers never send a blank line (spec §7 promises lines only).
   */
  takeLine?: (data: string, eventId: string | undefined) => boolean
  /** Limit of a line in bytes, and of an event's data in UTF-16 units, which never exceed its bytes. */
  maxBytes?: number
}

/** `undefined` for a comment. */
const readField = (line: string): {name: string; value: string} | undefined => {
  const colon = line.indexOf(':')
  if (colon === 0) return undefined
  if (colon === -1) return {name: line, value: ''}
  return {name: line.slice(0, colon), value: line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)}
}

/**
 * Bytes → events by the WHATWG standard "server-sent events", however the bytes are cut (security R35). Throws {@link
 * StreamLimitError} on a line or an event over the limit.
 */
export const createEventReader = ({takeLine, maxBytes = maxEventBytes}: EventReaderOptions = {}): EventReader => {
  const lines = createLineReader({maxLineBytes: maxBytes})
  let type = ''
  let data: string[] = []
  let dataLength = 0
  let lastEventId = ''
  let eventId: string | undefined
  let retry: number | undefined

  const dispatch = (): ServerSentEvent | undefined => {
    const event = data.length === 0 ? undefined : {type: type || 'message', data: data.join('\n'), lastEventId}
    type = ''
    data = []
    dataLength = 0
    eventId = undefined
    return event
  }

  const addData = (value: string) => {
    if (takeLine?.(value, eventId) === true) return
    dataLength += value.length + 1
    if (dataLength > maxBytes) throw new StreamLimitError(`An event has more than ${maxBytes} bytes.`)
    data.push(value)
  }

  const readLine = (line: string) => {
    const field = readField(line)
    switch (field?.name) {
      case 'data':
        addData(field.value)
        break
      case 'event':
        type = field.value
        break
      case 'id':
        if (!field.value.includes('\0')) lastEventId = eventId = field.value
        break
      case 'retry':
        if (/^[0-9]+$/.test(field.value)) retry = Number(field.value)
        break
      default: // comments and unknown fields have no effect
    }
  }

  return {
    *push(bytes) {
      for (const line of lines.push(bytes)) {
        if (line !== '') {
          readLine(line)
          continue
        }
        const event = dispatch()
        if (event !== undefined) yield event
      }
    },
    end() {
      const line = lines.end()
      if (line !== undefined) readLine(line)
      return dispatch()
    },
    get retry() {
      return retry
    },
  }
}
