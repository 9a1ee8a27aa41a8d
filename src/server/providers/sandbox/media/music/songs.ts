import sharp from 'sharp'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {paint, svg} from '../art/scenes.ts'
import {fileName} from '../file-names.ts'
import {exifOf, sandboxNote, sandboxSoftware, xmpOf} from '../labels.ts'
import {partOf, type MadeFile, type Work} from '../media-job.ts'
import {seedAt} from '../pictures.ts'
import {drawOver} from '../picture-file.ts'
import {watermark} from '../watermark.ts'
import {compose, type Composition} from './composition.ts'
import {lyricOf, titleOf} from './lyrics.ts'
import {encodeMp3, readMp3, wrapMp3, type EncodedAudio, type ReadSong} from './mp3.ts'
import {render} from './render.ts'

const usualRate = 44_100
const coverSide = 640
const mostSongs = 4
const instrumentalText = '[Instrumental]'

/** What a song of the sandbox says about how it was made; a continuation keeps its key and themes. */
const noteOf = (seed: number, {style, key, beatsPerMinute}: Composition) =>
  `${sandboxNote} Seed ${seed}, ${style.name}, ${key}, ${beatsPerMinute} beats a minute. Songs of the sandbox last 20 to 40 seconds; no words are sung.`

const seedOf = ({tags}: ReadSong): number | undefined => {
  const seed = tags.comment?.startsWith(sandboxNote) ? /Seed (\d+)/.exec(tags.comment)?.[1] : undefined
  return seed === undefined ? undefined : Number(seed)
}

/** A square picture for a song, as JPEG, which every player shows. */
export async function coverOf(words: string, seed: number): Promise<Uint8Array> {
  const size = {width: coverSide, height: coverSide}
  const painting = paint(words, seed, size)
  const label = {seed, style: painting.style}
  const marked = await drawOver(sharp(svg(size, painting.layers)), size, [watermark(size)])
  return marked.withExif(exifOf(label)).withXmp(xmpOf(words, label)).jpeg({quality: 88}).toBuffer()
}

/** As many songs as asked for. With a source and a place to go on at, the source up to there goes before. */
export async function makeSongs(
  plan: MediaPlan,
  {seed, source, work}: {seed: number; source?: Uint8Array; work: Work},
): Promise<MadeFile[]> {
  const count = Math.min(mostSongs, Math.max(1, Math.floor(plan.count)))
  const before = source && (await readMp3(source))
  const files: MadeFile[] = []
  for (let index = 0; index < count; index += 1) {
    const part = partOf(work, (index / count) * 100, ((index + 1) / count) * 100)
    files.push(await makeSong(plan, seedAt(seed, index), before, part))
  }
  return files
}

async function makeSong(plan: MediaPlan, seed: number, source: ReadSong | undefined, work: Work): Promise<MadeFile> {
  const song = plan.song ?? {isInstrumental: false}
  const isContinuation = source !== undefined && song.continueAt !== undefined
  // the style decides; words of the prompt stand in for it, or the style that the source had
  const words = [song.style, song.style === undefined ? (source?.tags.genre ?? plan.prompt) : undefined]
    .filter(Boolean)
    .join(' ')
  const title = song.title || source?.tags.title || titleOf(plan.prompt, seed)
  const text = song.isInstrumental
    ? instrumentalText
    : song.lyric || source?.tags.lyrics || lyricOf(plan.prompt || title, seed)
  const theme = (isContinuation ? seedOf(source) : undefined) ?? seed
  const composition = compose(words, {
    seed: theme,
    isInstrumental: song.isInstrumental,
    seconds: plan.durationSeconds,
    isContinuation,
  })
  const {rate, channels} = isContinuation ? source : {rate: usualRate, channels: 2 as const}
  const sound = render(composition, rate, theme, partOf(work, 0, 55))
  const encoded = await encodeMp3(sound, channels, partOf(work, 55, 92))
  const audio = isContinuation ? continued(source.audio, song.continueAt ?? source.seconds, encoded) : encoded
  const cover = await coverOf(`${plan.prompt || title} ${song.style ?? ''}`, seed)
  const style = song.style || composition.style.name
  const file = await wrapMp3(audio, {
    title,
    artist: sandboxSoftware,
    genre: style,
    lyrics: text,
    comment: noteOf(theme, composition),
    beatsPerMinute: composition.beatsPerMinute,
    images: [{data: cover, mimeType: 'image/jpeg', kind: 'coverFront'}],
  })
  work.report(100)
  return {
    medium: 'audio',
    file,
    type: 'audio/mpeg',
    name: fileName(title, seed, 'mp3'),
    preview: {file: cover, type: 'image/jpeg'},
    durationSeconds: audio.packets.reduce((sum, {duration}) => sum + duration, 0),
    seed,
    title,
    text,
    style,
  }
}

/** The source up to that second, then the new part. */
function continued(source: EncodedAudio, at: number, next: EncodedAudio): EncodedAudio {
  const kept = source.packets.filter(({timestamp}) => timestamp < at)
  const last = kept.at(-1)
  const end = last === undefined ? 0 : last.timestamp + last.duration
  return {
    decoderConfig: source.decoderConfig,
    packets: [...kept, ...next.packets.map((packet) => packet.clone({timestamp: packet.timestamp + end}))],
  }
}
