import {isDeepStrictEqual} from 'node:util'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {cutText} from '#domain/cut-text.ts'
import {paint} from '../art/scenes.ts'
import {fileName, videoTitle} from '../file-names.ts'
import {sandboxSoftware} from '../labels.ts'
import {MediaRefusal, partOf, type SandboxFile, type Work} from '../media-job.ts'
import {openImage, imageRatio} from '../image-file.ts'
import {seedAt} from '../images.ts'
import {fullHdSize, videoSize, type Size} from '../sizes.ts'
import {createCamera, type Turn} from './camera.ts'
import {wrapVideo} from './container.ts'
import {encode, posterOf, type EncodedFrames} from './frames.ts'
import {framesPerSecond, noteOf, readOwnVideo, type OwnVideo, type VideoNote} from './own-video.ts'

/** The longest video that is made at a time; a longer wish is bounded, and the file says its true duration. */
const mostSeconds = 10
const usualSeconds = 5
const mostVideos = 4
const mostImages = 5
/** A video that was continued again and again is only continued, no longer repeated, from here on. */
const longestWhole = 60

/** As many videos as asked for: the camera on a drawn scene or on the user's images, or an own video that goes on. */
export async function makeVideos(
  plan: MediaPlan,
  {seed, images, video, work}: {seed: number; images: readonly Uint8Array[]; video?: Uint8Array; work: Work},
): Promise<SandboxFile[]> {
  const before = video && (await readOwnVideo(video))
  if (before === undefined && (plan.action === 'extend' || plan.action === 'get1080p'))
    throw new MediaRefusal('bad_request', 'The sandbox works on videos only that it made itself.')
  if (before !== undefined && plan.action === 'get1080p') return [await makeLarger(before, work)]
  const [start] = images
  const aspectRatio = plan.followsSource && start ? await imageRatio(start) : plan.aspectRatio
  const count = Math.min(mostVideos, Math.max(1, Math.floor(plan.count)))
  const files: SandboxFile[] = []
  for (let index = 0; index < count; index += 1) {
    const own = {seed: seedAt(seed, index), work: partOf(work, (index / count) * 100, ((index + 1) / count) * 100)}
    const ownPlan = {...plan, aspectRatio}
    files.push(
      before === undefined
        ? await makeNew(ownPlan, {...own, images: images.slice(0, mostImages)})
        : await continueVideo(ownPlan, {before, index, work: own.work}),
    )
  }
  return files
}

const secondsOf = ({durationSeconds = usualSeconds}: MediaPlan) => Math.min(mostSeconds, Math.max(1, durationSeconds))

async function makeNew(
  plan: MediaPlan,
  {seed, images, work}: {seed: number; images: readonly Uint8Array[]; work: Work},
): Promise<SandboxFile> {
  const [seconds, size] = [secondsOf(plan), videoSize(plan)]
  const note: VideoNote = {
    seed,
    prompt: cutText(plan.prompt, 500),
    startsAt: 0,
    ...(images.length > 0 && {imageSeconds: seconds}),
  }
  const {frames, poster} = await renderFrames(note, {size, seconds, images, work})
  return videoFile(frames, {note, size, poster, kept: await Promise.all(images.map(boundedImage))})
}

/** The old frames and the new ones in one stream, where their decoder reads both. */
async function continueVideo(
  plan: MediaPlan,
  {before, index, work}: {before: OwnVideo; index: number; work: Work},
): Promise<SandboxFile> {
  const {size, images, durationSeconds, startsAt} = before
  const part: VideoNote = {...before, startsAt: startsAt + durationSeconds}
  const turn = {at: part.startsAt, seed: seedAt(before.seed, index)}
  const {frames, poster} = await renderFrames(part, {size, seconds: secondsOf(plan), images, turn, work})
  const whole = joined(before, frames)
  const note = whole === undefined ? part : before
  return videoFile(whole ?? frames, {note, size, poster, kept: images, prompt: plan.prompt})
}

/** The same video drawn again at 1080p: scene, seed and length are those of the file. */
async function makeLarger(before: OwnVideo, work: Work): Promise<SandboxFile> {
  const {images, durationSeconds: seconds} = before
  const size = fullHdSize(before.size)
  const {frames, poster} = await renderFrames(before, {size, seconds, images, work})
  return videoFile(frames, {note: before, size, poster, kept: images})
}

type Shot = {size: Size; seconds: number; images: readonly Uint8Array[]; turn?: Turn; work: Work}

/** Moves the camera over given images, or over the scene that belongs to prompt and seed. */
async function renderFrames(
  {seed, prompt, startsAt, imageSeconds}: VideoNote,
  {size, seconds, images, turn, work}: Shot,
) {
  const shownImages = images.length > 0 ? images : [paint(prompt, seed, size).svg]
  const draw = await createCamera(shownImages, {seed, size, seconds: imageSeconds ?? seconds, turn})
  return encode(draw, {size, seconds, startsAt, framesPerSecond, work})
}

/** A given image as large as a later 1080p of the video needs it. */
const boundedImage = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const {image} = await openImage(bytes)
  return image()
    .resize({width: 1920, height: 1920, fit: 'inside', withoutEnlargement: true})
    .jpeg({quality: 86})
    .toBuffer()
}

type Facts = {note: VideoNote; size: Size; poster: Uint8Array; kept: readonly Uint8Array[]; prompt?: string}

/** Labels and wraps frames, with the first one beside them. */
async function videoFile(
  frames: EncodedFrames,
  {note, size, poster, kept, prompt: askedPrompt}: Facts,
): Promise<SandboxFile> {
  const {seed} = note
  const prompt = askedPrompt || note.prompt
  const style = kept.length > 0 ? 'images' : 'scene'
  const file = await wrapVideo(frames, {
    framesPerSecond,
    tags: {
      title: videoTitle(prompt) ?? sandboxSoftware,
      artist: sandboxSoftware,
      description: note.prompt,
      comment: noteOf(note),
      ...(kept.length > 0 && {
        images: kept.map((data) => ({data, mimeType: 'image/jpeg', kind: 'coverFront' as const})),
      }),
    },
  })
  const cover = await posterOf(poster, size, prompt, {seed, style, isEdited: kept.length > 0})
  return {
    medium: 'video',
    file,
    type: 'video/mp4',
    name: fileName(prompt, seed, 'mp4'),
    preview: {file: cover, type: 'image/webp'},
    ...size,
    durationSeconds: frames.packets.length / framesPerSecond,
    seed,
    style,
  }
}

/** One stream, where one decoder reads both and it does not grow without end. */
function joined({frames, durationSeconds}: OwnVideo, ownFrames: EncodedFrames): EncodedFrames | undefined {
  const isSame = isDeepStrictEqual({...frames.decoderConfig}, {...ownFrames.decoderConfig})
  const whole = durationSeconds + ownFrames.packets.length / framesPerSecond
  return isSame && whole <= longestWhole
    ? {...ownFrames, packets: [...frames.packets, ...ownFrames.packets]}
    : undefined
}
