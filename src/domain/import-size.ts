/** Bytes of one message as JSON: a request of the server holds 1 MiB. */
export const longestMessage = 900_000

/** Bytes of one request: it arrives on a slow line in the time of a call. One long message alone may be longer. */
export const longestRequest = 250_000

/** Bytes of a value as JSON in UTF-8. */
export function bytesOf(value: unknown): number {
  const text = JSON.stringify(value)
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    // each half of a pair counts two
    if (code > 0x7f) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}
