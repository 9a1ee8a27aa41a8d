import {createRequire} from 'node:module'
import type * as H264Library from 'h264-mp4-encoder'
import {ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputVideoTrack} from 'mediabunny'
import sharp from 'sharp'
import {exifOf, xmpOf, type Label} from '../labels.ts'
import type {Work} from '../media-job.ts'
import {wrap} from '../image-file.ts'
import type {Size} from '../sizes.ts'
import {watermark} from '../watermark.ts'
import type {FramePainter} from './camera.ts'

/** A stream of H.264, ready to be put into a container. */
export type EncodedFrames = {
  decoderConfig: NonNullable<Awaited<ReturnType<InputVideoTrack['getDecoderConfig']>>>
  packets: {data: Uint8Array; isKey: boolean}[]
}

/** From 10, best, to 51. */
const quantization = 27
/** From 0, smallest file, to 10, fastest. */
const speed = 7
const secondsBetweenKeyFrames = 2

async function createEncoder({width, height}: Size, framesPerSecond: number) {
  // as: a CommonJS bundle whose names Node cannot list for an import; `require` is typed by nobody
  const library = createRequire(import.meta.url)('h264-mp4-encoder') as typeof H264Library
  const encoder = await library.createH264MP4Encoder()
  encoder.width = width
  encoder.height = height
  encoder.frameRate = framesPerSecond
  encoder.quantizationParameter = quantization
  encoder.speed = speed
  encoder.groupOfPictures = framesPerSecond * secondsBetweenKeyFrames
  encoder.initialize()
  return encoder
}

type Wish = {size: Size; seconds: number; startsAt?: number; framesPerSecond: number; work: Work}

/** Draws and encodes frame after frame, the mark on each. `poster` is the first frame. */
export async function encode(
  draw: FramePainter,
  {size, seconds, startsAt = 0, framesPerSecond, work}: Wish,
): Promise<{frames: EncodedFrames; poster: Uint8Array}> {
  const stamp = await createStamp(size)
  const encoder = await createEncoder(size, framesPerSecond)
  let isFinal = false
  try {
    const count = Math.round(seconds * framesPerSecond)
    const frame = new Uint8Array(size.width * size.height * 4).fill(255)
    let poster = frame
    for (let index = 0; index < count; index += 1) {
      work.checkpoint()
      draw(frame, startsAt + index / framesPerSecond)
      stamp(frame)
      if (index === 0) poster = frame.slice()
      encoder.addFrameRgba(frame)
      work.report(((index + 1) / count) * 98)
    }
    encoder.finalize()
    isFinal = true
    const frames = await readFrames(encoder.FS.readFile(encoder.outputFilename))
    work.report(100)
    return {frames, poster}
  } finally {
    if (!isFinal) encoder.finalize() // the library aborts on an encoder that is deleted before
    encoder.FS.unlink(encoder.outputFilename)
    encoder.delete()
  }
}

/** Lays the word SANDBOX over a frame. */
async function createStamp(size: Size): Promise<(frame: Uint8Array) => void> {
  const mark = await sharp(wrap(size, watermark(size)))
    .ensureAlpha()
    .raw()
    .toBuffer()
  const offsets: number[] = []
  for (let at = 0; at < mark.length; at += 4) if ((mark[at + 3] ?? 0) > 0) offsets.push(at)
  return (frame) => {
    for (const at of offsets) {
      const opacity = (mark[at + 3] ?? 0) / 255
      for (let channel = at; channel < at + 3; channel += 1) {
        const old = frame[channel] ?? 0
        frame[channel] = old + ((mark[channel] ?? 0) - old) * opacity
      }
    }
  }
}

/** The first frame as a labelled image. */
export const posterOf = (frame: Uint8Array, size: Size, prompt: string, label: Label): Promise<Uint8Array> =>
  sharp(frame, {raw: {...size, channels: 4}})
    .removeAlpha()
    .withExif(exifOf(label))
    .withXmp(xmpOf(prompt, label))
    .webp({quality: 84})
    .toBuffer()

/** The packets of the first video track of an MP4. */
export async function readFrames(mp4: Uint8Array): Promise<EncodedFrames> {
  using input = new Input({source: new BufferSource(mp4), formats: ALL_FORMATS})
  const track = await input.getPrimaryVideoTrack()
  const decoderConfig = await track?.getDecoderConfig()
  if (!track || !decoderConfig || (await track.getCodec()) !== 'avc') throw new Error('the file holds no H.264 video')
  const packets: EncodedFrames['packets'] = []
  for await (const {data, type} of new EncodedPacketSink(track).packets()) packets.push({data, isKey: type === 'key'})
  return {decoderConfig, packets}
}
