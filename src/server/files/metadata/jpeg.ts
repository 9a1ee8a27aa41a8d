import {orientationBlock, orientationOf} from './tiff.ts'

/* JPEG (ITU-T T.81): segments of a marker and a length, and behind each start of a scan its compressed data. */

const exifMark = Buffer.from('Exif\0\0', 'latin1')
const iccMark = Buffer.from('ICC_PROFILE\0', 'latin1')
const jfifMark = Buffer.from('JFIF\0', 'latin1')

/** Markers without a length: TEM, the restarts, start and end. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)

/** Segments of applications that change how the image looks: JFIF, a colour profile, Adobe's way to store colours. */
function isKept(marker: number, content: Buffer): boolean {
  if (marker === 0xfe) return false
  if (marker < 0xe0 || marker > 0xef) return true
  if (marker === 0xe0) return content.subarray(0, 5).equals(jfifMark)
  if (marker === 0xe2) return content.subarray(0, iccMark.length).equals(iccMark)
  return marker === 0xee
}

/** The end of the compressed data that begins at `start`: the next marker outside it. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1]
    if (marker === undefined) break
    if (marker !== 0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd7)) return at
  }
  throw new RangeError('a scan has no end')
}

/** A JPEG without EXIF, XMP, IPTC, comments, thumbnails and bytes behind its end. The image's data stay. */
export function stripJpeg(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  let orientation = 1
  let at = 2
  for (;;) {
    if (bytes[at] !== 0xff) throw new RangeError('no marker')
    const marker = bytes[at + 1]
    if (marker === undefined) throw new RangeError('no end')
    if (marker === 0xff) {
      at += 1 // fill bytes
      continue
    }
    if (marker === 0xd9) break
    const end = at + 2 + (isBare(marker) ? 0 : bytes.readUInt16BE(at + 2))
    if (end > bytes.length) throw new RangeError('a segment has no end')
    const content = bytes.subarray(at + 4, end)
    if (marker === 0xe1 && content.subarray(0, exifMark.length).equals(exifMark))
      orientation = orientationOf(content.subarray(exifMark.length))
    if (isKept(marker, content)) pieces.push(bytes.subarray(at, end))
    at = end
    if (marker !== 0xda) continue
    at = endOfScan(bytes, end)
    pieces.push(bytes.subarray(end, at))
  }
  return Buffer.concat([bytes.subarray(0, 2), ...turned(orientation, pieces), Buffer.of(0xff, 0xd9)])
}

/** JFIF must come first, EXIF behind it. */
function turned(orientation: number, segments: Buffer[]): Buffer[] {
  if (orientation === 1) return segments
  const content = Buffer.concat([exifMark, orientationBlock(orientation)])
  const segment = Buffer.concat([Buffer.of(0xff, 0xe1, 0, content.length + 2), content])
  const index = segments[0]?.[1] === 0xe0 ? 1 : 0
  return segments.toSpliced(index, 0, segment)
}
