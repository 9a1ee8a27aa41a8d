import {crc32} from 'node:zlib'
import sharp from 'sharp'

/** A real image of 3 × 2 pixels. */
export const sampleImage = async (format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif') =>
  new Uint8Array(
    await sharp({create: {width: 3, height: 2, channels: 3, background: 'red'}})
      .toFormat(format)
      .toBuffer(),
  )

/** A real image whose header claims another size. */
export async function claimingPng(width: number, height: number) {
  const png = Buffer.from(await sampleImage('png'))
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return new Uint8Array(png)
}
/** A bitmap's header, and nothing to see. */
export function bitmap(width: number, height: number) {
  const bytes = Buffer.alloc(64)
  bytes.write('BM')
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  return new Uint8Array(bytes)
}
/** The boxes of a HEIC that say its kind and size. */
export function heic(width: number, height: number) {
  const ispe = Buffer.alloc(20)
  ispe.writeUInt32BE(20)
  ispe.write('ispe', 4)
  ispe.writeUInt32BE(width, 12)
  ispe.writeUInt32BE(height, 16)
  return new Uint8Array(Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'), ispe]))
}
