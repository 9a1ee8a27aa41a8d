import type {MediaPlan} from '#contract/media/media-tool.ts'
import {sandboxNote} from '../labels.ts'
import {MediaRefusal, partOf, type SandboxFile, type Work} from '../media-job.ts'
import {seedAt} from '../images.ts'
import {lyricOf, titleOf} from './lyrics.ts'
import {encodeMp3, readMp3, type ReadSong} from './mp3.ts'
import {firstParts, readRecipe} from './recipe.ts'
import {render} from './render.ts'
import {coverOf, instrumentalText, seedOf, songFile} from './song-file.ts'
import {makeStems, makeWhole, partsOf} from './song-parts.ts'
import {compose, continuationOf, coverOfTune, newTune, type Tune} from './tune.ts'

const usualRate = 44_100
const mostSongs = 4

/** The requested number of songs, or the requested work on the source. */
export async function makeSongs(
  plan: MediaPlan,
  {seed, sources = [], work}: {seed: number; sources?: readonly Uint8Array[]; work: Work},
): Promise<SandboxFile[]> {
  const [file, ...earlier] = sources
  const source = file && (await readMp3(file))
  if (file !== undefined && plan.action === 'upload') return [recordingOf(file, source)]
  if (source === undefined && plan.action !== undefined && plan.action !== 'generate')
    throw new MediaRefusal('bad_request', 'The sandbox works on songs only that are MP3 files.')
  if (source !== undefined && plan.action === 'stems') return makeStems(source, work)
  if (source !== undefined && plan.action === 'concat')
    return [await makeWhole(source, await Promise.all(earlier.map(readMp3)))]
  const count = Math.min(mostSongs, Math.max(1, Math.floor(plan.count)))
  const files: SandboxFile[] = []
  for (let index = 0; index < count; index += 1) {
    const part = partOf(work, (index / count) * 100, ((index + 1) / count) * 100)
    files.push(await makeSong(plan, {seed: seedAt(seed, index), index, source, work: part}))
  }
  return files
}

/** A recording uploaded for later work stays unchanged; only an MP3 file tells its length. */
const recordingOf = (file: Uint8Array, read: ReadSong | undefined): SandboxFile => ({
  medium: 'audio',
  file,
  type: 'audio/mpeg',
  name: '',
  ...(read !== undefined && {durationSeconds: read.seconds}),
})

type Making = {seed: number; index: number; source: ReadSong | undefined; work: Work}

async function makeSong(plan: MediaPlan, {seed, index, source, work}: Making): Promise<SandboxFile> {
  const song = plan.song ?? {isInstrumental: false}
  const {tune, follows} = tuneFor(plan, {seed, index, source})
  const {rate, channels} =
    source !== undefined && follows !== undefined ? source : {rate: usualRate, channels: 2 as const}
  const sound = render(tune, rate, partOf(work, 0, 55))
  const encodedSong = await encodeMp3(sound, channels, partOf(work, 55, 92))
  const title = song.title || source?.tags.title || titleOf(plan.prompt, seed)
  const lyric = song.lyric || source?.tags.lyrics || lyricOf(plan.prompt || title, seed)
  const {key} = compose(tune)
  const file = await songFile(encodedSong, {
    seed,
    title,
    text: song.isInstrumental ? instrumentalText : lyric,
    style: song.style || source?.tags.genre || 'sandbox tune',
    comment: `${sandboxNote} Seed ${tune.seed}, ${key}, ${tune.beatsPerMinute} beats a minute. Songs of the sandbox last 20 to 40 seconds; no words are sung.`,
    beatsPerMinute: tune.beatsPerMinute,
    cover: await coverOf(`${plan.prompt || title} ${song.style ?? ''}`, seed),
    recipe: [{packets: encodedSong.packets.length, tune, ...(follows !== undefined && {follows})}],
    model: song.model,
  })
  work.report(100)
  return file
}

/** The tune to play: a new one, a continuation of the source's, or the same at another tempo. */
function tuneFor(plan: MediaPlan, {seed, index, source}: Omit<Making, 'work'>): {tune: Tune; follows?: number} {
  const {action, song, durationSeconds} = plan
  const words = `${plan.prompt} ${song?.style ?? ''}`
  if (source === undefined) return {tune: newTune(words, seed, durationSeconds)}
  if (action === 'cover' || action === 'upload_cover') {
    const ownTune = readRecipe(source.tags.raw)?.[0]?.tune
    if (ownTune === undefined)
      throw new MediaRefusal('bad_request', 'The sandbox makes covers only of songs that it composed itself.')
    return {tune: coverOfTune(ownTune, words, seed)}
  }
  const isExtension =
    action === 'extend' || action === 'upload_extend' || (action === undefined && song?.continueAt !== undefined)
  if (!isExtension) return {tune: newTune(words, seed, durationSeconds)}
  const at = song?.continueAt ?? source.seconds
  const follows = source.audio.packets.filter(({timestamp}) => timestamp < at).length
  const tune = firstParts(partsOf(source), follows).at(-1)?.tune ?? newTune(words, seedOf(source) ?? seed)
  // the second continuation of one song differs from the first
  return {tune: continuationOf(tune, index % 2 === 0 ? 'chorus' : 'verse', durationSeconds), follows}
}
