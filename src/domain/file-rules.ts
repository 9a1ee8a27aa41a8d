/** Why a file is refused before it is sent (expectations §3, composer; security R29). */
export type FileFault =
  | {kind: 'type'; types: readonly string[]}
  | {kind: 'size'; maxBytes: number}
  | {kind: 'empty'}
  /** More files than the field takes. */
  | {kind: 'count'; most: number}
  /** The bytes do not fit the name and type. */
  | {kind: 'content'}

export type FileRule = {types: readonly string[]; maxBytes: number}

/** MIME types by file extension; browsers leave `type` empty for extensions they do not know. */
const typesByExtension: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
}

const extensionOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase()

/** The type to check: by name, else by the browser. */
export const typeOfFile = ({name, type}: {name: string; type: string}) =>
  typesByExtension[extensionOf(name)] ?? type.toLowerCase()

/** Checks name, type and size. */
export function fileFault(file: {name: string; type: string; size: number}, rule: FileRule): FileFault | undefined {
  const type = typeOfFile(file)
  if (!rule.types.includes(type) && !rule.types.includes(`.${extensionOf(file.name)}`))
    return {kind: 'type', types: rule.types}
  if (file.size === 0) return {kind: 'empty'}
  return file.size > rule.maxBytes ? {kind: 'size', maxBytes: rule.maxBytes} : undefined
}

/** Number of leading bytes that {@link contentFault} reads. */
export const headLength = 16

type Magic = {at: number; bytes: readonly number[]}
const magic = (text: string, at = 0): Magic => ({at, bytes: [...text].map((letter) => letter.charCodeAt(0))})

/** One of the groups must match completely. */
const signatures: Record<string, readonly (readonly Magic[])[]> = {
  'image/png': [[magic('\x89PNG\r\n\x1a\n')]],
  'image/jpeg': [[magic('\xff\xd8\xff')]],
  'image/gif': [[magic('GIF8')]],
  'image/bmp': [[magic('BM')]],
  'image/webp': [[magic('RIFF'), magic('WEBP', 8)]],
  'video/mp4': [[magic('ftyp', 4)]],
  'audio/mpeg': [
    [magic('ID3')],
    [magic('\xff\xfb')],
    [magic('\xff\xf3')],
    [magic('\xff\xf2')],
    [magic('\xff\xfa')],
    [magic('\xff\xe3')],
  ],
}

const startsAs = (type: string, head: ArrayLike<number>): boolean | undefined =>
  signatures[type]?.some((group) =>
    group.every(({at, bytes}) => bytes.every((byte, index) => head[at + index] === byte)),
  )

const kindOf = (type: string) => type.slice(0, type.indexOf('/'))

/**
 * Whether the first bytes of a file fit its type, or another accepted type of its kind: a PNG named `.jpg` is still an
 * image. Types without a known signature are left to the server.
 */
export function contentFault(
  type: string,
  head: ArrayLike<number>,
  acceptedTypes: readonly string[] = [],
): FileFault | undefined {
  if (startsAs(type, head) !== false) return undefined
  const isOther = acceptedTypes.some((other) => kindOf(other) === kindOf(type) && startsAs(other, head) === true)
  return isOther ? undefined : {kind: 'content'}
}
