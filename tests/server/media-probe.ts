import {ALL_FORMATS, BufferSource, EncodedPacketSink, Input} from 'mediabunny'
import sharp from 'sharp'
import {scanPixels, type CodeCorners} from '#server/media/codes/scan-pixels.ts'

/* Programs that are not ours read a file: a player, and a scanner of codes. */

/** A song or a video as a player reads it. */
export async function probe(file: Uint8Array) {
  using input = new Input({source: new BufferSource(file), formats: ALL_FORMATS})
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  return {
    format: (await input.getFormat()).name,
    seconds: await input.computeDuration(),
    video: video && {
      codec: await video.getCodec(),
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
    },
    audio: audio && {
      codec: await audio.getCodec(),
      rate: await audio.getSampleRate(),
      channels: await audio.getNumberOfChannels(),
      seconds: await audio.computeDuration(),
    },
    tags: await input.getMetadataTags(),
  }
}

/** The images of a video, or the sound of a song, as they are encoded. */
export async function packetsOf(file: Uint8Array): Promise<Uint8Array[]> {
  using input = new Input({source: new BufferSource(file), formats: ALL_FORMATS})
  const track = (await input.getPrimaryVideoTrack()) ?? (await input.getPrimaryAudioTrack())
  if (!track) throw new Error('neither pictures nor sound')
  const packets: Uint8Array[] = []
  for await (const {data} of new EncodedPacketSink(track).packets()) packets.push(data)
  return packets
}

/** Returns the text that a scanner reads in an image of a code, and where it is. */
export async function findCode(file: Uint8Array): Promise<{data: string; location: CodeCorners} | undefined> {
  const {data, info} = await sharp(file).ensureAlpha().raw().toBuffer({resolveWithObject: true})
  return scanPixels(new Uint8ClampedArray(data), info.width, info.height) ?? undefined
}

export const scanCode = async (file: Uint8Array): Promise<string | undefined> => (await findCode(file))?.data
