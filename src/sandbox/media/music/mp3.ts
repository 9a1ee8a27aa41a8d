import {
  ALL_FORMATS,
  AudioSample,
  AudioSampleSource,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  Mp3OutputFormat,
  NullTarget,
  Output,
  type EncodedPacket,
  type InputAudioTrack,
  type MetadataTags,
} from 'mediabunny'
import {registerMp3Encoder} from '@mediabunny/mp3-encoder'
import type {Work} from '../media-job.ts'
import type {Stereo} from './render.ts'

export type EncodedAudio = {
  decoderConfig: NonNullable<Awaited<ReturnType<InputAudioTrack['getDecoderConfig']>>>
  packets: EncodedPacket[]
}

/** Joins sounds in the format of the first. */
export function joinAudio([first, ...others]: readonly [EncodedAudio, ...EncodedAudio[]]): EncodedAudio {
  const packets = [...first.packets]
  for (const next of others) {
    const last = packets.at(-1)
    const end = last === undefined ? 0 : last.timestamp + last.duration
    packets.push(...next.packets.map((packet) => packet.clone({timestamp: packet.timestamp + end})))
  }
  return {decoderConfig: first.decoderConfig, packets}
}

const bitsPerSecond = 128_000
const chunkSeconds = 2

/** Sound as MP3 packets (LAME in a thread of its own, which ends with the call). `channels` 1 mixes both sides. */
export async function encodeMp3(song: Stereo, channels: 1 | 2, work: Work): Promise<EncodedAudio> {
  registerMp3Encoder()
  const {left, right} = song
  const sides = channels === 2 ? [left, right] : [left.map((value, index) => (value + (right[index] ?? 0)) / 2)]
  const packets: EncodedPacket[] = []
  let decoderConfig: EncodedAudio['decoderConfig'] | undefined
  const source = new AudioSampleSource({
    codec: 'mp3',
    bitrate: bitsPerSecond,
    onEncodedPacket: (packet, meta) => {
      packets.push(packet)
      decoderConfig ??= meta?.decoderConfig
    },
  })
  const output = new Output({format: new Mp3OutputFormat(), target: new NullTarget()})
  output.addAudioTrack(source)
  try {
    await output.start()
    const chunk = chunkSeconds * song.rate
    for (let start = 0; start < song.left.length; start += chunk) {
      work.checkpoint()
      const length = Math.min(chunk, left.length - start)
      const data = new Float32Array(length * channels)
      for (const [index, side] of sides.entries()) data.set(side.subarray(start, start + length), index * length)
      using sample = new AudioSample({
        data,
        format: 'f32-planar',
        numberOfChannels: channels,
        sampleRate: song.rate,
        timestamp: start / song.rate,
      })
      await source.add(sample)
      work.report((start / song.left.length) * 100)
    }
    await output.finalize()
  } catch (error) {
    await output.cancel()
    throw error
  }
  if (decoderConfig === undefined) throw new Error('the MP3 encoder made nothing')
  return {decoderConfig, packets}
}

/** One MP3 file that begins with its ID3 tags. */
export async function wrapMp3({decoderConfig, packets}: EncodedAudio, tags: MetadataTags): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({format: new Mp3OutputFormat(), target})
  const source = new EncodedAudioPacketSource('mp3')
  output.addAudioTrack(source)
  output.setMetadataTags(tags)
  await output.start()
  for (const [index, packet] of packets.entries()) await source.add(packet, index === 0 ? {decoderConfig} : undefined)
  await output.finalize()
  if (target.buffer === null) throw new Error('the MP3 file stayed empty')
  return new Uint8Array(target.buffer)
}

export type ReadSong = {audio: EncodedAudio; tags: MetadataTags; seconds: number; rate: number; channels: 1 | 2}

/** The packets and tags of an MP3; `undefined` if the file cannot be read. */
export async function readMp3(bytes: Uint8Array): Promise<ReadSong | undefined> {
  using input = new Input({source: new BufferSource(bytes), formats: ALL_FORMATS})
  try {
    const track = await input.getPrimaryAudioTrack()
    const decoderConfig = await track?.getDecoderConfig()
    if (!track || !decoderConfig || (await track.getCodec()) !== 'mp3') return undefined
    const packets: EncodedPacket[] = []
    for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet)
    return {
      audio: {decoderConfig, packets},
      tags: await input.getMetadataTags(),
      seconds: packets.reduce((sum, {duration}) => sum + duration, 0),
      rate: await track.getSampleRate(),
      channels: (await track.getNumberOfChannels()) === 1 ? 1 : 2,
    }
  } catch {
    return undefined // not a playable sound file
  }
}
