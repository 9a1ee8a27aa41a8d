import {open} from 'node:fs/promises'

/** Some programs write a little behind the end of an image. */
const tailLength = 65_536

/** The bytes at the end of an image of this type; they may stand anywhere in its last bytes. */
const endMarks: Readonly<Record<string, Buffer>> = {
  'image/png': Buffer.from('IEND'),
  'image/jpeg': Buffer.of(0xff, 0xd9),
}

/**
 * Whether an image has its end: a file that was cut off on its way does not. Nothing is decoded. Of types that say
 * nothing of their end it is believed.
 */
export async function isWholeImage(path: string, type: string): Promise<boolean> {
  const file = await open(path)
  try {
    const {size} = await file.stat()
    if (type === 'image/webp') {
      // RIFF: the length of what follows its first eight bytes; not every writer counts the last one that fills up
      const {buffer, bytesRead} = await file.read(Buffer.alloc(8), 0, 8, 0)
      return bytesRead === 8 && buffer.readUInt32LE(4) + 8 <= size + 1
    }
    const mark = endMarks[type]
    if (mark === undefined) return true
    const start = Math.max(0, size - tailLength)
    const {buffer, bytesRead} = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    return buffer.subarray(0, bytesRead).includes(mark)
  } finally {
    await file.close()
  }
}
