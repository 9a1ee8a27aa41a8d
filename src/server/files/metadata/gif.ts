/* GIF89a: a header, then blocks; metadata is in the extension blocks. */

const trailer = 0x3b
const extension = 0x21
const image = 0x2c
const commentLabel = 0xfe
const applicationLabel = 0xff
/** How often it repeats, and its colours. XMP stands under another name. */
const keptApplications = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

/** Bytes of a table of colours by the flags that announce it. */
const tableLength = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

/** The end of a row of sub-blocks: behind the empty one. */
function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start
  for (let length = bytes.readUInt8(at); length !== 0; length = bytes.readUInt8(at)) at += 1 + length
  return at + 1
}

/** A GIF, also a moving one, without comments, XMP and what stands behind its end. */
export function stripGif(bytes: Buffer): Buffer {
  let at = 13 + tableLength(bytes.readUInt8(10))
  const pieces: Buffer[] = [bytes.subarray(0, at)]
  for (;;) {
    const mark = bytes.readUInt8(at)
    if (mark === trailer) break
    if (mark === image) {
      const end = endOfBlocks(bytes, at + 10 + tableLength(bytes.readUInt8(at + 9)) + 1)
      pieces.push(bytes.subarray(at, end))
      at = end
      continue
    }
    if (mark !== extension) throw new RangeError('no block')
    const label = bytes.readUInt8(at + 1)
    const end = endOfBlocks(bytes, at + 2)
    const isMetadata =
      label === commentLabel ||
      (label === applicationLabel && !keptApplications.has(bytes.toString('latin1', at + 3, at + 14)))
    if (!isMetadata) pieces.push(bytes.subarray(at, end))
    at = end
  }
  return Buffer.concat([...pieces, Buffer.of(trailer)])
}
