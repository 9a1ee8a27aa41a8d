import {orientationBlock, orientationOf} from './tiff.ts'

/* WebP (RFC 9649): a RIFF file of chunks. */

const keptChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const exifFlag = 0x08
const xmpFlag = 0x04

function chunk(name: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(8 + data.length + (data.length % 2))
  bytes.write(name, 'latin1')
  bytes.writeUInt32LE(data.length, 4)
  data.copy(bytes, 8)
  return bytes
}

/** A WebP, still or animated, without EXIF, XMP and unknown chunks. */
export function stripWebp(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  let orientation = 1
  const end = Math.min(bytes.readUInt32LE(4) + 8, bytes.length)
  for (let at = 12; at + 8 <= end;) {
    const name = bytes.toString('latin1', at, at + 4)
    const data = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4))
    // some writers begin with the mark that JPEG has there
    if (name === 'EXIF') orientation = orientationOf(data.toString('latin1', 0, 4) === 'Exif' ? data.subarray(6) : data)
    if (keptChunks.has(name)) pieces.push(chunk(name, data))
    at += 8 + data.length + (data.length % 2)
  }
  const [first] = pieces
  if (first?.toString('latin1', 0, 4) === 'VP8X') {
    first[8] = ((first[8] ?? 0) & ~(exifFlag | xmpFlag)) | (orientation === 1 ? 0 : exifFlag)
    if (orientation !== 1) pieces.push(chunk('EXIF', orientationBlock(orientation)))
  }
  const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...pieces])
  return chunk('RIFF', content)
}
