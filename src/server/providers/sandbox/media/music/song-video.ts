import sharp from 'sharp'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {fileName} from '../file-names.ts'
import {sandboxNote, sandboxSoftware} from '../labels.ts'
import {MediaRefusal, partOf, type MadeFile, type Work} from '../media-job.ts'
import {createMovingPictures} from '../video/moving-pictures.ts'
import {wrapVideo} from '../video/container.ts'
import {encode} from '../video/videos.ts'
import {readMp3} from './mp3.ts'
import {coverOf} from './song-file.ts'
import {makeSongs} from './songs.ts'

const size = {width: 480, height: 480}
/** The cover hardly moves, so few pictures do. */
const framesPerSecond = 4
/** A longer song keeps its sound; the picture then stands still. */
const mostSeconds = 90

/**
 * A song as a video: its sound as it is, and its cover in slow motion. The song is the source file; without one it is
 * composed first.
 */
export async function makeSongVideo(
  plan: MediaPlan,
  {seed, song, cover, work}: {seed: number; song?: Uint8Array; cover?: Uint8Array; work: Work},
): Promise<MadeFile> {
  const own =
    song === undefined
      ? (await makeSongs({...plan, medium: 'audio', count: 1}, {seed, work: partOf(work, 0, 40)}))[0]
      : undefined
  const bytes = song ?? own?.file
  const read = bytes && (await readMp3(bytes))
  if (read === undefined)
    throw new MediaRefusal('bad_request', 'The sandbox makes videos of songs only from MP3 files.')
  const title = plan.song?.title || read.tags.title || 'Song'
  const picture = cover ?? read.tags.images?.[0]?.data ?? (await coverOf(title, seed))
  const seconds = Math.min(mostSeconds, read.seconds)
  const draw = await createMovingPictures([picture], {prompt: title, seed, size, seconds})
  const {frames, poster} = await encode(draw, {
    size,
    seconds,
    startsAt: 0,
    framesPerSecond,
    codec: 'h264',
    work: partOf(work, 40, 100),
  })
  const file = await wrapVideo(frames, {
    framesPerSecond,
    audio: read.audio,
    tags: {title, artist: sandboxSoftware, lyrics: read.tags.lyrics, genre: read.tags.genre, comment: sandboxNote},
  })
  return {
    medium: 'video',
    file,
    type: 'video/mp4',
    name: fileName(title, seed, 'mp4'),
    preview: {
      file: await sharp(poster, {raw: {...size, channels: 4}})
        .removeAlpha()
        .webp({quality: 84})
        .toBuffer(),
      type: 'image/webp',
    },
    ...size,
    durationSeconds: read.seconds,
    seed,
    title,
    ...(read.tags.lyrics !== undefined && {text: read.tags.lyrics}),
    ...(read.tags.genre !== undefined && {style: read.tags.genre}),
  }
}
