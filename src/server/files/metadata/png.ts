import {crc32} from 'node:zlib'
import {orientationBlock, orientationOf} from './tiff.ts'

/* PNG (W3C, third edition): chunks of a length, a name, data and a sum. */

const headerLength = 8
/** Chunks that few images have and that change how this one looks. Those with a capital letter are always kept. */
const keptChunks = new Set(
  'tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
)

function chunk(name: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length)
  bytes.write(name, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}

/** A PNG or APNG without EXIF, XMP, text, time, private chunks and what stands behind its end. */
export function stripPng(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [bytes.subarray(0, headerLength)]
  let orientation = 1
  for (let at = headerLength; ;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new RangeError('a chunk has no end')
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (name === 'eXIf') orientation = orientationOf(bytes.subarray(at + 8, end - 4))
    if (/^[A-Z]/.test(name) || keptChunks.has(name)) pieces.push(bytes.subarray(at, end))
    if (name === 'IEND') break
    at = end
  }
  // behind the header, which is the first chunk
  return Buffer.concat(
    orientation === 1 ? pieces : pieces.toSpliced(2, 0, chunk('eXIf', orientationBlock(orientation))),
  )
}
