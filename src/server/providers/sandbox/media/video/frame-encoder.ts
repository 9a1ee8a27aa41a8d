import type {InputVideoTrack} from 'mediabunny'

/** A stream of pictures as packets of one codec, ready to be put into a container. */
export type EncodedFrames = {
  codec: 'avc' | 'vp8'
  decoderConfig: NonNullable<Awaited<ReturnType<InputVideoTrack['getDecoderConfig']>>>
  packets: {data: Uint8Array; isKey: boolean}[]
}

export type FrameEncoder = {
  /** RGBA, of the size the encoder was made for. The opacity is not looked at. */
  add: (frame: Uint8Array) => void | Promise<void>
  finish: () => Promise<EncodedFrames>
  /** Gives the memory back; to be called also after a failure. */
  close: () => void
}

export const framesPerSecond = 12
