import {readFile, writeFile} from 'node:fs/promises'
import {badRequest} from '../../http/failure.ts'
import type {Incoming} from '../incoming-file.ts'
import {stripGif} from './gif.ts'
import {stripHeif} from './heif.ts'
import {stripJpeg} from './jpeg.ts'
import {stripPng} from './png.ts'
import {stripTiff} from './tiff.ts'
import {stripWebp} from './webp.ts'

/** BMP and ICO have no room for metadata. */
const strippers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
  'image/tiff': stripTiff,
  'image/heic': stripHeif,
  'image/avif': stripHeif,
}

/**
 * Removes metadata from a received image: EXIF, XMP, IPTC, comments and thumbnails, which reveal location, time, author
 * and device. The file is not encoded again: pixels, colour profile, animation and orientation stay. Other files stay
 * unchanged. Returns the file with its new size; throws 400 for an image that cannot be parsed, which is never stored
 * with its metadata.
 */
export async function stripMetadata(incoming: Incoming, type: string): Promise<Incoming> {
  const strip = strippers[type]
  if (strip === undefined) return incoming
  const bytes = await readFile(incoming.path)
  let cleanBytes: Buffer
  try {
    cleanBytes = strip(bytes)
  } catch (cause) {
    if (cause instanceof RangeError) throw badRequest('pictureDamaged', 'file')
    throw cause
  }
  if (cleanBytes.equals(bytes)) return incoming
  await writeFile(incoming.path, cleanBytes, {flush: true})
  return {...incoming, size: cleanBytes.length}
}
