import sharp from 'sharp'
import type {Size} from '../sizes.ts'
import type {EncodedFrames, FrameEncoder} from './frame-encoder.ts'

const quality = 72

/**
 * VP8 without an encoder of videos: a lossy WebP is one VP8 key frame in a wrapping. Larger than H.264, since no frame
 * leans on another, but made of nothing that the pictures do not need as well.
 */
export function createVp8Encoder({width, height}: Size): FrameEncoder {
  const packets: EncodedFrames['packets'] = []
  return {
    add: async (frame) => {
      const webp = await sharp(frame, {raw: {width, height, channels: 4}})
        .removeAlpha()
        .webp({quality, effort: 1})
        .toBuffer()
      packets.push({data: keyFrameOf(webp), isKey: true})
    },
    finish: async () => ({
      codec: 'vp8',
      decoderConfig: {codec: 'vp8', codedWidth: width, codedHeight: height},
      packets,
    }),
    close: () => {},
  }
}

/** The content of the chunk `VP8 ` (RIFF: four letters, length in little endian, padded to even). */
function keyFrameOf(webp: Uint8Array): Uint8Array {
  const view = new DataView(webp.buffer, webp.byteOffset, webp.byteLength)
  for (let at = 12; at + 8 <= webp.length;) {
    const length = view.getUint32(at + 4, true)
    if (view.getUint32(at) === 0x56503820) return webp.slice(at + 8, at + 8 + length)
    at += 8 + length + (length % 2)
  }
  throw new Error('the WebP picture holds no VP8 frame')
}
