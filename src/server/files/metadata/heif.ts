import {eraser} from './reader.ts'

/*
 * HEIF and AVIF (ISO/IEC 23008-12): boxes. EXIF and XMP are items with their offsets in a table; the orientation is in
 * another box. Their bytes are overwritten with zeros, so that no offset changes and the image is not touched.
 */

type Box = {type: string; start: number; content: number; end: number}

function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let start = from; start + 8 <= to;) {
    const short = bytes.readUInt32BE(start)
    const isLong = short === 1
    const length = isLong ? Number(bytes.readBigUInt64BE(start + 8)) : short === 0 ? to - start : short
    const content = start + (isLong ? 16 : 8)
    const end = start + length
    if (end < content || end > to) throw new RangeError('a box has no end')
    boxes.push({type: bytes.toString('latin1', start + 4, start + 8), start, content, end})
    start = end
  }
  return boxes
}

/** The ids of items that are EXIF or XMP (or other text about the image). */
function metadataItems(bytes: Buffer, {content, end}: Box): Set<number> {
  const version = bytes.readUInt8(content)
  const entries = content + (version === 0 ? 6 : 8)
  return new Set(
    boxesIn(bytes, entries, end)
      .filter(({type}) => type === 'infe')
      .flatMap((entry) => {
        const entryVersion = bytes.readUInt8(entry.content)
        if (entryVersion < 2) return []
        const isLong = entryVersion > 2
        const at = entry.content + 4 + (isLong ? 4 : 2) + 2
        const id = isLong ? bytes.readUInt32BE(entry.content + 4) : bytes.readUInt16BE(entry.content + 4)
        const type = bytes.toString('latin1', at, at + 4)
        return type === 'Exif' || type === 'mime' || type === 'uri ' ? [id] : []
      }),
  )
}

/** Reads numbers of given lengths one after the other. */
function cursor(bytes: Buffer, start: number) {
  let at = start
  return (length: number): number => {
    const value = length === 0 ? 0 : length === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, length)
    at += length
    return value
  }
}

/** The ranges of the items' bytes in the file. */
function rangesOf(bytes: Buffer, table: Box, items: ReadonlySet<number>, data: Box | undefined) {
  const next = cursor(bytes, table.content)
  const version = next(1)
  next(3)
  const [sizes, bases] = [next(1), next(1)]
  const [offsetLength, lengthLength, baseLength] = [sizes >> 4, sizes & 15, bases >> 4]
  const indexLength = version > 0 ? bases & 15 : 0
  const count = next(version < 2 ? 2 : 4)
  const ranges: {start: number; end: number}[] = []
  for (let item = 0; item < count; item += 1) {
    const id = next(version < 2 ? 2 : 4)
    const method = version > 0 ? next(2) & 15 : 0
    next(2)
    const base = next(baseLength)
    const extents = next(2)
    if (extents > 1 && indexLength + offsetLength + lengthLength === 0) throw new RangeError('extents without ranges')
    for (let extent = 0; extent < extents; extent += 1) {
      next(indexLength)
      const offset = next(offsetLength)
      const length = next(lengthLength)
      const origin = method === 1 ? (data?.content ?? bytes.length) : 0
      const start = origin + base + offset
      if (items.has(id) && method < 2) ranges.push({start, end: length === 0 ? bytes.length : start + length})
    }
  }
  return ranges
}

/** A HEIC, HEIF or AVIF whose EXIF and XMP are zeros. */
export function stripHeif(bytes: Buffer): Buffer {
  const result = Buffer.from(bytes)
  const boxes = boxesIn(result, 0, result.length)
  const erase = eraser(result)
  for (const {type, content, end} of boxes) if (type === 'uuid') erase(content, end)
  const meta = boxes.find(({type}) => type === 'meta')
  const parts = meta === undefined ? [] : boxesIn(result, meta.content + 4, meta.end)
  const find = (name: string) => parts.find(({type}) => type === name)
  const [names, table] = [find('iinf'), find('iloc')]
  if (names === undefined || table === undefined) return result
  const items = metadataItems(result, names)
  for (const {start, end} of rangesOf(result, table, items, find('idat'))) erase(start, end)
  return result
}
