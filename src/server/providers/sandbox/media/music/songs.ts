import type {MediaPlan} from '#contract/media/media-tool.ts'
import {sandboxNote} from '../labels.ts'
import {MediaRefusal, partOf, type MadeFile, type Work} from '../media-job.ts'
import {seedAt} from '../pictures.ts'
import type {Composition} from './composition.ts'
import {lyricOf, titleOf} from './lyrics.ts'
import {encodeMp3, readMp3, type ReadSong} from './mp3.ts'
import {composeAgain, firstParts, readRecipe, type Composed, type Part} from './recipe.ts'
import {render} from './render.ts'
import {coverOf, songFile} from './song-file.ts'
import {instrumentalText, makeStems, makeWhole, seedOf} from './song-parts.ts'

const usualRate = 44_100
const mostSongs = 4

/** What a song of the sandbox says about how it was made; a continuation keeps its key and themes. */
const noteOf = (seed: number, {style, key, beatsPerMinute}: Composition) =>
  `${sandboxNote} Seed ${seed}, ${style.name}, ${key}, ${beatsPerMinute} beats a minute. Songs of the sandbox last 20 to 40 seconds; no words are sung.`

/** As many songs as asked for, or what is asked for of the source. */
export async function makeSongs(
  plan: MediaPlan,
  {seed, sources = [], work}: {seed: number; sources?: readonly Uint8Array[]; work: Work},
): Promise<MadeFile[]> {
  const [source, ...earlier] = sources
  const count = Math.min(mostSongs, Math.max(1, Math.floor(plan.count)))
  const before = source && (await readMp3(source))
  if (source !== undefined && plan.action === 'upload') return [recordingOf(source, before)]
  if (before === undefined && plan.action !== undefined && plan.action !== 'generate')
    throw new MediaRefusal('bad_request', 'The sandbox works on songs only that are MP3 files.')
  if (before !== undefined && plan.action === 'stems') return makeStems(before, work)
  if (before !== undefined && plan.action === 'concat')
    return [await makeWhole(before, await Promise.all(earlier.map(readMp3)))]
  const files: MadeFile[] = []
  for (let index = 0; index < count; index += 1) {
    const part = partOf(work, (index / count) * 100, ((index + 1) / count) * 100)
    files.push(await makeSong(plan, {seed: seedAt(seed, index), index}, before, part))
  }
  return files
}

/** What is uploaded to be worked on later stays as it is; how long it is can be told of an MP3 file. */
const recordingOf = (file: Uint8Array, read: ReadSong | undefined): MadeFile => ({
  medium: 'audio',
  file,
  type: 'audio/mpeg',
  name: '',
  ...(read !== undefined && {durationSeconds: read.seconds}),
})

async function makeSong(
  plan: MediaPlan,
  {seed, index}: {seed: number; index: number},
  source: ReadSong | undefined,
  work: Work,
): Promise<MadeFile> {
  const song = plan.song ?? {isInstrumental: false}
  const {action} = plan
  const isExtension = action === 'extend' || action === 'upload_extend'
  const isContinuation =
    source !== undefined && (isExtension || (action === undefined && song.continueAt !== undefined))
  const kept = isContinuation ? keptOf(source, song.continueAt ?? source.seconds) : undefined
  const composed = composedFor(plan, {seed, index}, source, kept)
  const composition = composeAgain(composed)
  const {rate, channels} = isContinuation ? source : {rate: usualRate, channels: 2 as const}
  const sound = render(composition, rate, composed.seed, partOf(work, 0, 55))
  const encoded = await encodeMp3(sound, channels, partOf(work, 55, 92))
  const title = song.title || source?.tags.title || titleOf(plan.prompt, seed)
  const file = await songFile(encoded, {
    seed,
    title,
    text: song.isInstrumental
      ? instrumentalText
      : song.lyric || source?.tags.lyrics || lyricOf(plan.prompt || title, seed),
    style: song.style || composition.style.name,
    comment: noteOf(composed.seed, composition),
    beatsPerMinute: composition.beatsPerMinute,
    cover: await coverOf(`${plan.prompt || title} ${song.style ?? ''}`, seed),
    recipe: [{packets: encoded.packets.length, composed, ...(kept && {follows: kept.packets})}],
    model: song.model,
  })
  work.report(100)
  return file
}

/** How much of the source comes before what goes on from that second; an extension is the new part alone. */
function keptOf({audio, tags}: ReadSong, at: number) {
  const packets = audio.packets.filter(({timestamp}) => timestamp < at).length
  const parts = readRecipe(tags.raw) ?? [{packets: audio.packets.length}]
  return {packets, parts: firstParts(parts, packets)}
}

/** What is composed: something new, the source's own song that goes on, or the same one in another dress. */
function composedFor(
  plan: MediaPlan,
  {seed, index}: {seed: number; index: number},
  source: ReadSong | undefined,
  kept: {parts: readonly Part[]} | undefined,
): Composed {
  const {style, isInstrumental = false} = plan.song ?? {}
  const isContinuation = kept !== undefined
  const common = {
    isInstrumental,
    isContinuation,
    // the second of two that go on from the same song is another one
    isVerseFirst: !isContinuation || index % 2 === 1,
    seconds: plan.durationSeconds,
  }
  const asked = style === source?.tags.genre ? undefined : style
  if (plan.action === 'cover' || plan.action === 'upload_cover') {
    const known = source && readRecipe(source.tags.raw)?.[0]?.composed
    if (known === undefined)
      throw new MediaRefusal('bad_request', 'The sandbox makes covers only of songs that it composed itself.')
    return {...known, ...common, arrangement: {words: asked ?? known.arrangement?.words ?? '', seed}}
  }
  const known = kept?.parts.at(-1)?.composed
  if (known !== undefined)
    return {...known, ...common, ...(asked !== undefined && {arrangement: {words: asked, seed: known.seed}})}
  // the style decides; words of the prompt stand in for it, or the style that the source had
  const words = style ?? source?.tags.genre ?? plan.prompt
  return {...common, words, seed: (kept && source && seedOf(source)) ?? seed}
}
