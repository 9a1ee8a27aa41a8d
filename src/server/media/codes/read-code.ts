import sharp from 'sharp'
import {scanPixels} from './scan-pixels.ts'

const mostPixels = 50_000_000
/** Longer sides at which a code is looked for. Which is read is luck where modules are fine or a photo has grain. */
const sides = [800, 400, 600, 1000, 1400, 700]

/** Text of the code in an image; `undefined` if none can be read. Rejects if the image cannot be opened. */
export async function readCode(image: Uint8Array): Promise<string | undefined> {
  for (const side of sides) {
    const {data, info} = await sharp(image, {limitInputPixels: mostPixels})
      .rotate()
      .flatten({background: '#fff'})
      .resize({width: side, height: side, fit: 'inside'})
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({resolveWithObject: true})
    const code = scanPixels(new Uint8ClampedArray(data), info.width, info.height)
    if (code !== null) return code.data
  }
  return undefined
}
