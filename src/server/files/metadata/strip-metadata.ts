import {readFile, writeFile} from 'node:fs/promises'
import {badRequest} from '../../http/failure.ts'
import type {Incoming} from '../incoming-file.ts'
import {stripGif} from './gif.ts'
import {stripHeif} from './heif.ts'
import {stripJpeg} from './jpeg.ts'
import {stripPng} from './png.ts'
import {stripTiff} from './tiff.ts'
import {stripWebp} from './webp.ts'

/** BMP and ICO have no place for metadata. */
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
 * Takes out of a received image what says where, when, by whom and with what it was made: EXIF, XMP, IPTC, comments and
 * thumbnails. The file is taken apart, not encoded anew: every pixel stays, and so do colour profile, animation and how the
 * image is turned. Other files stay as they are. Returns the received file with its new size; throws 400 for an image
 * that cannot be taken apart, which is never kept as it came.
 */
export async function stripMetadata(incoming: Incoming, type: string): Promise<Incoming> {
  const strip = strippers[type]
  if (strip === undefined) return incoming
  const bytes = await readFile(incoming.path)
  let stripped: Buffer
  try {
    stripped = strip(bytes)
  } catch (cause) {
    if (cause instanceof RangeError) throw badRequest('pictureDamaged', 'file')
    throw cause
  }
  if (stripped.equals(bytes)) return incoming
  await writeFile(incoming.path, stripped, {flush: true})
  return {...incoming, size: stripped.length}
}
