/** Kind of a source file by its first bytes; its name and declared type are ignored. */
export type SourceKind = 'image' | 'video' | 'song' | 'unknown'

const startsWith = (bytes: Uint8Array, signature: string, at = 0) =>
  [...signature].every((character, index) => bytes[at + index] === character.charCodeAt(0))

export function kindOf(bytes: Uint8Array): SourceKind {
  if (startsWith(bytes, 'ftyp', 4))
    return startsWith(bytes, 'avif', 8) || startsWith(bytes, 'heic', 8) ? 'image' : 'video'
  if (startsWith(bytes, '\u001aE\u00df\u00a3')) return 'video'
  if (startsWith(bytes, 'ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2)) return 'song'
  const isImage =
    startsWith(bytes, '\u0089PNG') ||
    (bytes[0] === 0xff && bytes[1] === 0xd8) ||
    startsWith(bytes, 'GIF8') ||
    (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) ||
    startsWith(bytes, 'BM')
  return isImage ? 'image' : 'unknown'
}
