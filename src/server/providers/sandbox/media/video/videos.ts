import sharp from 'sharp'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {fileName, titleOfFilm} from '../file-names.ts'
import {exifOf, sandboxSoftware, xmpOf} from '../labels.ts'
import {MediaRefusal, partOf, type MadeFile, type VideoCodec, type Work} from '../media-job.ts'
import {seedAt} from '../pictures.ts'
import {openPicture, ratioOfPicture, wrap} from '../picture-file.ts'
import {fullHdSize, videoSize, type Size} from '../sizes.ts'
import {watermark} from '../watermark.ts'
import {containerOf, wrapVideo} from './container.ts'
import {framesPerSecond, type EncodedFrames, type FrameEncoder} from './frame-encoder.ts'
import {createH264Encoder} from './h264-encoder.ts'
import {createMovingPictures} from './moving-pictures.ts'
import {createMovingScene, type FramePainter} from './moving-scene.ts'
import {noteOf, readOwnVideo, type OwnVideo, type VideoNote} from './own-video.ts'
import {lay, sheetOf} from './sheets.ts'
import {createVp8Encoder} from './vp8-encoder.ts'

/** What is made at a time; a longer wish is bounded, and the file says its true duration. */
const mostSeconds = 10
const usualSeconds = 5
const mostVideos = 4
/** A video that was continued again and again is only continued, no longer repeated, from here on. */
const longestWhole = 60

type Sources = {pictures: readonly Uint8Array[]; video?: Uint8Array}

/** As many videos as asked for: a moving scene, the person's pictures in motion, or an own video that goes on. */
export async function makeVideos(
  plan: MediaPlan,
  {seed, pictures, video, codec, work}: Sources & {seed: number; codec?: VideoCodec; work: Work},
): Promise<MadeFile[]> {
  const count = Math.min(mostVideos, Math.max(1, Math.floor(plan.count)))
  const before = video && (await readOwnVideo(video))
  const [start] = pictures
  const aspectRatio = plan.followsSource && start ? await ratioOfPicture(start) : plan.aspectRatio
  const files: MadeFile[] = []
  for (let index = 0; index < count; index += 1) {
    const part = partOf(work, (index / count) * 100, ((index + 1) / count) * 100)
    files.push(
      await makeVideo({...plan, aspectRatio}, {seed: seedAt(seed, index), index, pictures, before, codec, work: part}),
    )
  }
  return files
}

type Making = {
  seed: number
  index: number
  pictures: readonly Uint8Array[]
  before?: OwnVideo
  codec?: VideoCodec
  work: Work
}

async function makeVideo(plan: MediaPlan, {seed, index, pictures, before, codec, work}: Making): Promise<MadeFile> {
  if (before === undefined && (plan.action === 'extend' || plan.action === 'get1080p'))
    throw new MediaRefusal('bad_request', 'The sandbox works on videos only that it made itself.')
  if (before !== undefined && plan.action === 'get1080p') return makeLarger(before, {codec, work})
  const seconds = Math.min(mostSeconds, Math.max(1, plan.durationSeconds ?? usualSeconds))
  const size = before?.size ?? videoSize(plan)
  const isOfPictures = pictures.length > 0 && !before
  const note: VideoNote = before
    ? {seed: before.seed, prompt: before.prompt, startsAt: before.startsAt + before.durationSeconds}
    : {seed, prompt: plan.prompt.slice(0, 500), startsAt: 0, ...(isOfPictures && {picturesSeconds: seconds})}
  const scene = isOfPictures
    ? {style: 'pictures', draw: await createMovingPictures(pictures, {prompt: note.prompt, seed, size, seconds})}
    : // several ways to go on are one scene with something else in the air
      await createMovingScene(note.prompt, note.seed, size, seedAt(note.seed, before ? index : 0))
  const {frames: made, poster} = await encode(scene.draw, {size, seconds, startsAt: note.startsAt, codec, work})
  const frames = joined(before, made)
  const isWhole = before !== undefined && frames !== made
  return videoFile(frames, poster, {
    prompt: plan.prompt || note.prompt,
    size,
    note: isWhole ? {...note, startsAt: before.startsAt, picturesSeconds: before.picturesSeconds} : note,
    style: scene.style,
    isOfPictures,
    kept: isWhole ? before.pictures : isOfPictures ? await Promise.all(pictures.slice(0, 5).map(keptPicture)) : [],
  })
}

/** The same video drawn again at 1080p: scene, seed and length are those of the file. */
async function makeLarger(before: OwnVideo, {codec, work}: Pick<Making, 'codec' | 'work'>): Promise<MadeFile> {
  const {seed, prompt, pictures, picturesSeconds = 0, startsAt, durationSeconds: seconds} = before
  const size = fullHdSize(before.size)
  const isOfPictures = pictures.length > 0 && picturesSeconds > 0
  const shown = isOfPictures
    ? await createMovingPictures(pictures, {prompt, seed, size, seconds: picturesSeconds})
    : undefined
  const scene = shown && startsAt + seconds <= picturesSeconds ? undefined : await createMovingScene(prompt, seed, size)
  const draw: FramePainter = (frame, time) =>
    shown && time < picturesSeconds ? shown(frame, time) : scene?.draw(frame, time)
  const {frames, poster} = await encode(draw, {size, seconds, startsAt, codec: codec ?? codecOf(before), work})
  const style = shown ? 'pictures' : (scene?.style ?? 'scene')
  return videoFile(frames, poster, {prompt, size, note: before, style, isOfPictures, kept: pictures})
}

const codecOf = ({frames}: OwnVideo): VideoCodec => (frames.codec === 'avc' ? 'h264' : 'vp8')

/** A given picture as large as a later 1080p of the video needs it. */
const keptPicture = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const {picture} = await openPicture(bytes)
  return picture()
    .resize({width: 1920, height: 1920, fit: 'inside', withoutEnlargement: true})
    .jpeg({quality: 86})
    .toBuffer()
}

type Facts = {
  prompt: string
  size: Size
  note: VideoNote
  style: string
  isOfPictures: boolean
  kept: readonly Uint8Array[]
}

/** Labels and wraps frames, with the first one beside them. */
async function videoFile(
  frames: EncodedFrames,
  poster: Uint8Array,
  {prompt, size, note, style, isOfPictures, kept}: Facts,
): Promise<MadeFile> {
  const {type, extension} = containerOf(frames)
  const label = {seed: note.seed, style, isEdited: isOfPictures}
  const name = fileName(prompt, note.seed, extension)
  const cover = await sharp(poster, {raw: {...size, channels: 4}})
    .removeAlpha()
    .withExif(exifOf(label))
    .withXmp(xmpOf(prompt, label))
    .webp({quality: 84})
    .toBuffer()
  const file = await wrapVideo(frames, {
    framesPerSecond,
    tags: {
      title: titleOfFilm(prompt) ?? sandboxSoftware,
      artist: sandboxSoftware,
      description: note.prompt,
      comment: noteOf(note),
      ...(kept.length > 0 && {
        images: kept.map((data) => ({data, mimeType: 'image/jpeg', kind: 'coverFront' as const})),
      }),
    },
  })
  return {
    medium: 'video',
    file,
    type,
    name,
    preview: {file: cover, type: 'image/webp'},
    ...size,
    durationSeconds: frames.packets.length / framesPerSecond,
    seed: note.seed,
    style,
  }
}

/** The old frames and the new ones in one stream, when their decoder reads both. */
function joined(before: OwnVideo | undefined, made: EncodedFrames): EncodedFrames {
  if (before === undefined || before.frames.codec !== made.codec) return made
  const isSame = String(before.frames.decoderConfig.codec) === String(made.decoderConfig.codec)
  const whole = before.durationSeconds + made.packets.length / framesPerSecond
  if (!isSame || !equalBytes(descriptionOf(before.frames), descriptionOf(made)) || whole > longestWhole) return made
  return {...made, packets: [...before.frames.packets, ...made.packets]}
}

function descriptionOf({decoderConfig: {description}}: EncodedFrames): Uint8Array {
  if (description === undefined) return new Uint8Array()
  if (!ArrayBuffer.isView(description)) return new Uint8Array(description as ArrayBufferLike) // as: views are gone above
  const {buffer, byteOffset, byteLength}: ArrayBufferView = description
  return new Uint8Array(buffer, byteOffset, byteLength)
}

const equalBytes = (first: Uint8Array, second: Uint8Array) =>
  first.length === second.length && first.every((byte, index) => byte === second[index])

async function encoderFor(size: Size, rate: number, codec: VideoCodec | undefined): Promise<FrameEncoder> {
  if (codec === 'vp8') return createVp8Encoder(size)
  try {
    return await createH264Encoder(size, rate)
  } catch (error) {
    if (codec === 'h264') throw error
    return createVp8Encoder(size)
  }
}

/** Draws and encodes frame after frame, the mark on each. `poster` is the first frame. */
export async function encode(
  draw: FramePainter,
  {
    size,
    seconds,
    startsAt,
    codec,
    work,
    framesPerSecond: rate = framesPerSecond,
  }: {size: Size; seconds: number; startsAt: number; codec?: VideoCodec; work: Work; framesPerSecond?: number},
): Promise<{frames: EncodedFrames; poster: Uint8Array}> {
  const mark = await sheetOf(wrap({width: size.width + 1, height: size.height}, watermark(size)))
  const encoder = await encoderFor(size, rate, codec)
  try {
    const count = Math.round(seconds * rate)
    const frame = new Uint8Array(size.width * size.height * 4).fill(255)
    let poster = frame
    for (let index = 0; index < count; index += 1) {
      work.checkpoint()
      draw(frame, startsAt + index / rate)
      lay(frame, size, mark, 0, 0)
      if (index === 0) poster = frame.slice()
      await encoder.add(frame)
      work.report(((index + 1) / count) * 98)
    }
    const frames = await encoder.finish()
    work.report(100)
    return {frames, poster}
  } finally {
    encoder.close()
  }
}
