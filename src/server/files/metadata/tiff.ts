import {eraser, reader, type Reader} from './reader.ts'

/*
 * TIFF 6.0: the format of TIFF files and of the EXIF block inside other formats. A directory is a list of entries of
 * twelve bytes: tag, type, count, and the value or its offset.
 */

const orientationTag = 0x0112
const exifDirectoryTag = 0x8769
const gpsDirectoryTag = 0x8825
const interoperabilityTag = 0xa005
const directoryTags = new Set([exifDirectoryTag, gpsDirectoryTag, interoperabilityTag])
/** Title, camera, software, times, author, host, XMP, copyright, IPTC, Photoshop's, EXIF and GPS, Windows', maker's. */
const removedTags = new Set([
  0x010d, 0x010e, 0x010f, 0x0110, 0x011d, 0x0131, 0x0132, 0x013b, 0x013c, 0x02bc, 0x8298, 0x83bb, 0x8649, 0x8769,
  0x8825, 0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f, 0xa005, 0xc614, 0xc62f, 0xc634, 0xc65d, 0xc68b, 0xea1c,
])
/** Bytes of one value by the number of its type. */
const typeLengths: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
}
const mostDirectories = 64

type Entry = {at: number; tag: number; value: {at: number; length: number}; first: number}

function entriesOf(view: Reader, directory: number): Entry[] {
  const count = view.u16(directory)
  return Array.from({length: count}, (_, index) => {
    const at = directory + 2 + index * 12
    const [tag, type, number] = [view.u16(at), view.u16(at + 2), view.u32(at + 4)]
    const length = (typeLengths[type] ?? 1) * number
    const first = type === 3 ? view.u16(at + 8) : view.u32(at + 8)
    return {at, tag, value: {at: length > 4 ? view.u32(at + 8) : at + 8, length}, first}
  })
}

function open(bytes: Buffer): {view: Reader; first: number} {
  const mark = bytes.toString('latin1', 0, 2)
  if (mark !== 'II' && mark !== 'MM') throw new RangeError('no TIFF')
  const view = reader(bytes, mark === 'II')
  if (view.u16(2) !== 42) throw new RangeError('no TIFF')
  return {view, first: view.u32(4)}
}

/** How a viewer turns the image, 1 to 8; 1, which is upright, when the block does not say it or cannot be read. */
export function orientationOf(exif: Buffer): number {
  try {
    const {view, first} = open(exif)
    const value = entriesOf(view, first).find(({tag}) => tag === orientationTag)?.first ?? 1
    return value >= 1 && value <= 8 ? value : 1
  } catch {
    return 1 // a block that cannot be read turns nothing: viewers do the same
  }
}

/** An EXIF block that says how the image is turned and nothing else. */
export function orientationBlock(orientation: number): Buffer {
  const block = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1')
  block.writeUInt16BE(orientation, 18)
  return block
}

/** A TIFF file without its metadata. Entries leave the directories, their values become zeros; the image stays. */
export function stripTiff(bytes: Buffer): Buffer {
  const result = Buffer.from(bytes)
  const {view, first} = open(result)
  const visits = new Set<number>()
  const eraseBetween = eraser(result)
  const erase = ({at, length}: {at: number; length: number}) => eraseBetween(at, at + length)

  const eraseDirectory = (directory: number): void => {
    if (visits.has(directory) || visits.size >= mostDirectories) return
    visits.add(directory)
    const entries = entriesOf(view, directory)
    for (const {tag, value, first: inner} of entries) {
      if (directoryTags.has(tag)) eraseDirectory(inner)
      erase(value)
    }
    erase({at: directory, length: 2 + entries.length * 12 + 4})
  }

  for (let directory = first; directory !== 0 && !visits.has(directory) && visits.size < mostDirectories;) {
    visits.add(directory)
    const entries = entriesOf(view, directory)
    const end = directory + 2 + entries.length * 12
    const next = view.u32(end)
    const copies = entries
      .filter(({tag}) => !removedTags.has(tag))
      .map(({at}) => Buffer.from(result.subarray(at, at + 12)))
    for (const {tag, value, first: inner} of entries) {
      if (!removedTags.has(tag)) continue
      if (directoryTags.has(tag)) eraseDirectory(inner)
      if (value.length > 4) erase(value)
    }
    result.fill(0, directory, end + 4)
    view.setU16(directory, copies.length)
    copies.forEach((entry, index) => entry.copy(result, directory + 2 + index * 12))
    view.setU32(directory + 2 + copies.length * 12, next)
    directory = next
  }
  return result
}
