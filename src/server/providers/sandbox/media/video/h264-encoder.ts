import {createRequire} from 'node:module'
import type * as H264Library from 'h264-mp4-encoder'
import {ALL_FORMATS, BufferSource, EncodedPacketSink, Input} from 'mediabunny'
import type {Size} from '../sizes.ts'
import type {EncodedFrames, FrameEncoder} from './frame-encoder.ts'

/** From 10, best, to 51. */
const quantization = 27
/** From 0, smallest file, to 10, fastest. */
const speed = 7
const secondsBetweenKeyFrames = 2

/** Throws when the encoder cannot be loaded; VP8 is the way out (`vp8-encoder.ts`). */
export async function createH264Encoder({width, height}: Size, framesPerSecond: number): Promise<FrameEncoder> {
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
  let isFinal = false
  const finalize = () => {
    if (!isFinal) encoder.finalize()
    isFinal = true
  }
  return {
    add: (frame) => encoder.addFrameRgba(frame),
    finish: async () => {
      finalize()
      return readFrames(encoder.FS.readFile(encoder.outputFilename))
    },
    close: () => {
      finalize() // the library aborts on an encoder that is deleted before
      encoder.FS.unlink(encoder.outputFilename)
      encoder.delete()
    },
  }
}

/** The packets of the first video track of an MP4. */
export async function readFrames(mp4: Uint8Array): Promise<EncodedFrames> {
  using input = new Input({source: new BufferSource(mp4), formats: ALL_FORMATS})
  const track = await input.getPrimaryVideoTrack()
  const decoderConfig = await track?.getDecoderConfig()
  if (!track || !decoderConfig || (await track.getCodec()) !== 'avc') throw new Error('the file holds no H.264 video')
  const packets: EncodedFrames['packets'] = []
  for await (const {data, type} of new EncodedPacketSink(track).packets()) packets.push({data, isKey: type === 'key'})
  return {codec: 'avc', decoderConfig, packets}
}
