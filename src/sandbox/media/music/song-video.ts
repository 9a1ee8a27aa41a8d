import type {MediaPlan} from '#contract/media/media-tool.ts'
import {fileName} from '../file-names.ts'
import {sandboxNote, sandboxSoftware} from '../labels.ts'
import {MediaRefusal, partOf, type SandboxFile, type Work} from '../media-job.ts'
import {createCamera} from '../video/camera.ts'
import {wrapVideo} from '../video/container.ts'
import {encode, posterOf} from '../video/frames.ts'
import {readMp3} from './mp3.ts'
import {coverOf} from './song-file.ts'
import {makeSongs} from './songs.ts'

const size = {width: 480, height: 480}
/** The cover moves slowly, so few frames suffice. */
const framesPerSecond = 4
/** A longer song keeps its sound over a still image. */
const mostSeconds = 90

/**
 * A song as a video: its sound unchanged, and its cover in slow motion. The song is the source file; without one it is
 * composed first.
 */
export async function makeSongVideo(
  plan: MediaPlan,
  {seed, song, cover, work}: {seed: number; song?: Uint8Array; cover?: Uint8Array; work: Work},
): Promise<SandboxFile> {
  const composing = {seed, work: partOf(work, 0, 40)}
  const bytes = song ?? (await makeSongs({...plan, medium: 'audio', count: 1}, composing))[0]?.file
  const audio = bytes && (await readMp3(bytes))
  if (audio === undefined)
    throw new MediaRefusal('bad_request', 'The sandbox makes videos of songs only from MP3 files.')
  const {lyrics, genre, images} = audio.tags
  const title = plan.song?.title || audio.tags.title || 'Song'
  const image = cover ?? images?.[0]?.data ?? (await coverOf(title, seed))
  const seconds = Math.min(mostSeconds, audio.seconds)
  const draw = await createCamera([image], {seed, size, seconds})
  const {frames, poster} = await encode(draw, {size, seconds, framesPerSecond, work: partOf(work, 40, 100)})
  const tags = {title, artist: sandboxSoftware, lyrics, genre, comment: sandboxNote}
  return {
    medium: 'video',
    file: await wrapVideo(frames, {framesPerSecond, audio: audio.audio, tags}),
    type: 'video/mp4',
    name: fileName(title, seed, 'mp4'),
    preview: {file: await posterOf(poster, size, title, {seed, isEdited: cover !== undefined}), type: 'image/webp'},
    ...size,
    durationSeconds: audio.seconds,
    seed,
    title,
    ...(lyrics !== undefined && {text: lyrics}),
    ...(genre !== undefined && {style: genre}),
  }
}
