import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  type MetadataTags,
} from 'mediabunny'
import type {EncodedAudio} from '../music/mp3.ts'
import type {EncodedFrames} from './frames.ts'

/** An MP4 of images and perhaps sound, with its index in front, so that it plays while it loads. */
export async function wrapVideo(
  frames: EncodedFrames,
  {framesPerSecond, tags, audio}: {framesPerSecond: number; tags: MetadataTags; audio?: EncodedAudio},
): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({format: new Mp4OutputFormat({fastStart: 'in-memory'}), target})
  const video = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(video, {frameRate: framesPerSecond})
  const sound = audio && new EncodedAudioPacketSource('mp3')
  if (sound) output.addAudioTrack(sound)
  output.setMetadataTags(tags)
  await output.start()
  const duration = 1 / framesPerSecond
  for (const [index, {data, isKey}] of frames.packets.entries()) {
    const packet = new EncodedPacket(data, isKey ? 'key' : 'delta', index * duration, duration)
    await video.add(packet, index === 0 ? {decoderConfig: frames.decoderConfig} : undefined)
  }
  video.close()
  for (const [index, packet] of (audio?.packets ?? []).entries())
    await sound?.add(packet, index === 0 ? {decoderConfig: audio?.decoderConfig} : undefined)
  sound?.close()
  await output.finalize()
  if (target.buffer === null) throw new Error('the container stayed empty')
  return new Uint8Array(target.buffer)
}
