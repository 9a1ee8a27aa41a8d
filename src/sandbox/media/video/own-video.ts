import {ALL_FORMATS, BufferSource, Input} from 'mediabunny'
import {sandboxNote} from '../labels.ts'
import type {Size} from '../sizes.ts'
import {readFrames, type EncodedFrames} from './frames.ts'

export const framesPerSecond = 12

/** A video of the sandbox says how it was made, so that the same one can be made to go on. */
export type VideoNote = {
  seed: number
  prompt: string
  /** The second of the camera's way at which the file begins. */
  startsAt: number
  /** Given images fade into each other over that time; they are kept in the file. */
  imageSeconds?: number
}

export const noteOf = ({seed, startsAt, imageSeconds: imageSeconds}: VideoNote) =>
  `${sandboxNote} Seed ${seed}, from second ${startsAt}. ${imageSeconds === undefined ? '' : `Given pictures for ${imageSeconds} s. `}A video of the sandbox is made at most 10 s at a time.`

export type OwnVideo = VideoNote & {
  size: Size
  frames: EncodedFrames
  durationSeconds: number
  images: readonly Uint8Array[]
}

/** The video as the sandbox made it; `undefined` for any other file. */
export async function readOwnVideo(bytes: Uint8Array): Promise<OwnVideo | undefined> {
  using input = new Input({source: new BufferSource(bytes), formats: ALL_FORMATS})
  try {
    const {comment = '', description = '', images = []} = await input.getMetadataTags()
    const [, seed, startsAt] = /Seed (\d+), from second ([\d.]+)\./.exec(comment) ?? []
    const track = await input.getPrimaryVideoTrack()
    if (seed === undefined || startsAt === undefined || !comment.startsWith(sandboxNote) || !track) return undefined
    const imageSeconds = /Given pictures for ([\d.]+) s\./.exec(comment)?.[1]
    const frames = await readFrames(bytes)
    return {
      seed: Number(seed),
      startsAt: Number(startsAt),
      prompt: description,
      ...(imageSeconds !== undefined && {imageSeconds: Number(imageSeconds)}),
      images: images.map(({data}) => data),
      size: {width: await track.getDisplayWidth(), height: await track.getDisplayHeight()},
      frames,
      durationSeconds: frames.packets.length / framesPerSecond,
    }
  } catch {
    return undefined // another program's file, or a broken one: it cannot be continued
  }
}
