/** Limit of one line or event in bytes (security R38). */
export const maxEventBytes = 1024 * 1024

/** The peer sent more than this app accepts. The message is for the log. */
export class StreamLimitError extends Error {
  override name = 'StreamLimitError'
}

export type LineReader = {
  /** The lines these bytes complete, one at a time, so that lines before a broken limit are still delivered. */
  push(bytes: Uint8Array): Generator<string, void>
  /** Text after the last line break, if any. */
  end(): string | undefined
}

export type LineReaderOptions = {
  /** `any`: CRLF, LF or CR, as in an event stream. `newline`: LF alone, since CR is white space inside a JSON line. */
  breaks?: 'any' | 'newline'
  maxLineBytes?: number
}

const LF = 0x0a
const CR = 0x0d
const mark = '\uFEFF'

/**
 * Bytes → lines of UTF-8 text, the same lines however the bytes are cut (security R35, R37). Line breaks are found in
 * the bytes, since in UTF-8 they are never a part of another character; each line is decoded whole. A byte order mark
 * at the start is dropped. Each byte is read once. Throws {@link StreamLimitError} on a line over the limit.
 */
export const createLineReader = ({
  breaks = 'any',
  maxLineBytes = maxEventBytes,
}: LineReaderOptions = {}): LineReader => {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true})
  const breaksAtCR = breaks === 'any'
  let pending = new Uint8Array(256)
  let pendingLength = 0
  let skipsLF = false
  let atStart = true

  const keep = (bytes: Uint8Array) => {
    const length = pendingLength + bytes.length
    if (length > maxLineBytes) throw new StreamLimitError(`A line has more than ${maxLineBytes} bytes.`)
    if (length > pending.length) {
      const larger = new Uint8Array(Math.max(length, pending.length * 2))
      larger.set(pending.subarray(0, pendingLength))
      pending = larger
    }
    pending.set(bytes, pendingLength)
    pendingLength = length
  }

  const take = () => {
    if (pendingLength === 0) {
      atStart = false
      return ''
    }
    const text = decoder.decode(pending.subarray(0, pendingLength))
    pendingLength = 0
    const isMarked = atStart && text.startsWith(mark)
    atStart = false
    return isMarked ? text.slice(mark.length) : text
  }

  return {
    *push(bytes) {
      let start = 0
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at]
        const isFirstAfterCR = skipsLF
        skipsLF = false
        if (byte === LF && isFirstAfterCR) {
          start = at + 1
        } else if (byte === LF || (byte === CR && breaksAtCR)) {
          skipsLF = byte === CR
          keep(bytes.subarray(start, at))
          start = at + 1
          yield take()
        }
      }
      keep(bytes.subarray(start))
    },
    end: () => (pendingLength === 0 ? undefined : take()),
  }
}
