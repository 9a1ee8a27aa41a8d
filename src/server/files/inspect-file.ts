import {open} from 'node:fs/promises'
import {fileTypeFromFile} from 'file-type'
import {badRequest, HttpFailure} from '../http/failure.ts'
import type {FileType} from './file-types.ts'
import {isWholeImage} from './whole-image.ts'

const mostPixels = 50_000_000

export type Dimensions = {width: number; height: number}

/**
 * Checks that a received file is what its extension says: magic bytes for binary kinds, UTF-8 without NUL for text
 * (security R29), an image at most 50 megapixels (R30) and not cut off. Throws 415 or 400; returns an image's pixels.
 */
export async function inspectFile(path: string, fileType: FileType): Promise<Dimensions | undefined> {
  if (fileType.detected.length === 0) {
    const start = await checkText(path, fileType.kind === 'unlisted' ? notTaken : notText)
    if (fileType.kind === 'svg' && !/<svg[\s>]/i.test(start)) throw mismatch()
    return undefined
  }
  const detectedType = await fileTypeFromFile(path)
  if (!detectedType || !fileType.detected.includes(detectedType.mime)) throw mismatch()
  if (fileType.kind !== 'image') return undefined
  const size = await measure(path, fileType.type)
  if (!size || size.width < 1 || size.height < 1) throw badRequest('pictureDamaged', 'file')
  if (size.width * size.height > mostPixels) {
    throw new HttpFailure(413, 'content_too_large', 'pictureTooLarge', {
      field: 'file',
      values: {most: mostPixels / 1_000_000},
    })
  }
  if (!(await isWholeImage(path, fileType.type))) throw badRequest('pictureCutOff', 'file')
  return size
}

const mismatch = () => new HttpFailure(415, 'bad_request', 'fileMismatch', {field: 'file'})
const notText = (cause?: unknown) => new HttpFailure(415, 'bad_request', 'fileNotText', {field: 'file', cause})
/** A kind of file that is not kept, by its name or by bytes under a name that says nothing. */
export const notTaken = (cause?: unknown) => new HttpFailure(415, 'bad_request', 'fileKind', {field: 'file', cause})

const startLength = 65_536

/** Reads the file as strict UTF-8 and returns its start; `refusal` is thrown if it is something else. */
async function checkText(path: string, refusal: (cause?: unknown) => HttpFailure): Promise<string> {
  const decoder = new TextDecoder('utf-8', {fatal: true})
  let start = ''
  const file = await open(path)
  try {
    for await (const chunk of file.createReadStream({autoClose: false})) {
      let text: string
      try {
        // A stream without an encoding yields buffers; its type says `any`.
        text = decoder.decode(chunk as Buffer, {stream: true})
      } catch (cause) {
        throw refusal(cause)
      }
      if (text.includes('\0')) throw refusal()
      if (start.length < startLength) start += text
    }
    try {
      decoder.decode()
    } catch (cause) {
      throw refusal(cause)
    }
    return start
  } finally {
    await file.close()
  }
}

/** Size by the header alone: nothing is decoded, so a small file cannot blow up. */
async function measure(path: string, type: string): Promise<Dimensions | undefined> {
  switch (type) {
    case 'image/bmp':
      return bitmapSize(await readStart(path, 26))
    case 'image/x-icon':
      return iconSize(await readStart(path, 6 + 16 * 256))
    case 'image/heic':
      return heicSize(await readStart(path, startLength))
    default: {
      // Loaded with the first image: the native library is not needed to start.
      const {default: sharp} = await import('sharp')
      const {width, height} = await sharp(path, {limitInputPixels: false})
        .metadata()
        .catch((cause: unknown) => {
          throw new HttpFailure(400, 'bad_request', 'pictureDamaged', {
            field: 'file',
            cause,
          })
        })
      return {width, height}
    }
  }
}

async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const {buffer, bytesRead} = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** BITMAPINFOHEADER and newer: width and height as signed 32-bit at 18 and 22; a negative height means top-down. */
function bitmapSize(start: Buffer): Dimensions | undefined {
  if (start.length < 26) return undefined
  return {width: Math.abs(start.readInt32LE(18)), height: Math.abs(start.readInt32LE(22))}
}

/** The largest entry of the directory; 0 stands for 256. */
function iconSize(start: Buffer): Dimensions | undefined {
  if (start.length < 6) return undefined
  const number = Math.min(start.readUInt16LE(4), Math.floor((start.length - 6) / 16))
  const entries = Array.from({length: number}, (_, index) => ({
    width: start[6 + index * 16] || 256,
    height: start[7 + index * 16] || 256,
  }))
  return entries.toSorted((a, b) => b.width * b.height - a.width * a.height)[0]
}

/** The largest `ispe` property (ISO/IEC 23008-12): four bytes of version and flags, then width and height. */
function heicSize(start: Buffer): Dimensions | undefined {
  const sizes: Dimensions[] = []
  for (let at = start.indexOf('ispe'); at >= 0 && at + 16 <= start.length; at = start.indexOf('ispe', at + 4)) {
    sizes.push({width: start.readUInt32BE(at + 8), height: start.readUInt32BE(at + 12)})
  }
  return sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0]
}
