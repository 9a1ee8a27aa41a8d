import {ALL_FORMATS, BufferSource, Input} from 'mediabunny'
import {sandboxNote} from '../labels.ts'
import type {Size} from '../sizes.ts'
import {framesPerSecond, type EncodedFrames} from './frame-encoder.ts'
import {readFrames} from './h264-encoder.ts'

/** What a video of the sandbox says about how it was made; the same scene can be made to go on. */
export type VideoNote = {
  seed: number
  prompt: string
  /** The scene's second at which the file begins. */ startsAt: number
  /** Given pictures are shown for that long, before the scene; they are kept in the file. */
  picturesSeconds?: number
}

export const noteOf = ({seed, startsAt, picturesSeconds}: VideoNote) =>
  `${sandboxNote} Seed ${seed}, from second ${startsAt}. ${picturesSeconds === undefined ? '' : `Given pictures for ${picturesSeconds} s. `}A video of the sandbox is made at most 10 s at a time.`

export type OwnVideo = VideoNote & {
  size: Size
  frames: EncodedFrames
  durationSeconds: number
  pictures: readonly Uint8Array[]
}

/** The video as the sandbox made it; `undefined` for any other file. */
export async function readOwnVideo(bytes: Uint8Array): Promise<OwnVideo | undefined> {
  using input = new Input({source: new BufferSource(bytes), formats: ALL_FORMATS})
  try {
    const {comment = '', description = '', images = []} = await input.getMetadataTags()
    const [, seed, startsAt] = /Seed (\d+), from second ([\d.]+)\./.exec(comment) ?? []
    if (seed === undefined || startsAt === undefined || !comment.startsWith(sandboxNote)) return undefined
    const picturesSeconds = /Given pictures for ([\d.]+) s\./.exec(comment)?.[1]
    const track = await input.getPrimaryVideoTrack()
    if (!track) return undefined
    const frames = await readFrames(bytes)
    return {
      seed: Number(seed),
      startsAt: Number(startsAt),
      prompt: description,
      ...(picturesSeconds !== undefined && {picturesSeconds: Number(picturesSeconds)}),
      pictures: images.map(({data}) => data),
      size: {width: await track.getDisplayWidth(), height: await track.getDisplayHeight()},
      frames,
      durationSeconds: frames.packets.length / framesPerSecond,
    }
  } catch {
    return undefined // somebody else's file, or a broken one: nothing in it can be continued
  }
}
