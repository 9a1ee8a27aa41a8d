const longestBytes = 255
/** C0, C1, DEL; direction marks, overrides and isolates; line and paragraph separators; the byte-order mark. */

const unwantedCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g

/** Lower-case text after the last dot, without the dot; empty when there is none. */
export const extensionOf = (name: string): string => /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''

/**
 * The name a client gave its file, as metadata only (security R28): NFC, without path, controls, bidi overrides and
 * leading dots, at most 255 bytes with the extension kept. Empty when nothing is left. Never used as a path.
 */
export function cleanFileName(givenName: string): string {
  const last = givenName.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const name = last
    .replace(unwantedCharacters, '')
    .replace(/["<>|?*:]/g, '_')
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '')
  return cutToBytes(name)
}

function cutToBytes(name: string): string {
  if (Buffer.byteLength(name) <= longestBytes) return name
  const extension = extensionOf(name)
  const ending = extension === '' ? '' : `.${extension}`
  let stem = ''
  let bytes = Buffer.byteLength(ending)
  for (const character of name.slice(0, name.length - ending.length)) {
    bytes += Buffer.byteLength(character)
    if (bytes > longestBytes) break
    stem += character
  }
  return `${stem}${ending}`
}

/** `Content-Disposition` with the name in both forms: ASCII for old clients, RFC 5987 for all others. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const extendedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${extendedName}`
}
