import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
  type MetadataTags,
} from 'mediabunny'
import type {EncodedAudio} from '../music/mp3.ts'
import type {EncodedFrames} from './frame-encoder.ts'

export type Container = {type: 'video/mp4' | 'video/webm'; extension: 'mp4' | 'webm'}

export const containerOf = ({codec}: EncodedFrames): Container =>
  codec === 'avc' ? {type: 'video/mp4', extension: 'mp4'} : {type: 'video/webm', extension: 'webm'}

/** One file of pictures and perhaps sound; an MP4 has its index in front, so that it plays while it loads. */
export async function wrapVideo(
  frames: EncodedFrames,
  {framesPerSecond, tags, audio}: {framesPerSecond: number; tags: MetadataTags; audio?: EncodedAudio},
): Promise<Uint8Array> {
  const target = new BufferTarget()
  const isMp4 = containerOf(frames).extension === 'mp4'
  const output = new Output({
    format: isMp4 ? new Mp4OutputFormat({fastStart: 'in-memory'}) : new WebMOutputFormat(),
    target,
  })
  const video = new EncodedVideoPacketSource(frames.codec)
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
  for (const [index, packet] of (audio?.packets ?? []).entries()) {
    await sound?.add(packet, index === 0 ? {decoderConfig: audio?.decoderConfig} : undefined)
  }
  sound?.close()
  await output.finalize()
  if (target.buffer === null) throw new Error('the container stayed empty')
  return new Uint8Array(target.buffer)
}
