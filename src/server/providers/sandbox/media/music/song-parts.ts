import {sandboxNote} from '../labels.ts'
import {MediaRefusal, partOf, type MadeFile, type Work} from '../media-job.ts'
import {encodeMp3, joinAudio, type EncodedAudio, type ReadSong} from './mp3.ts'
import {composeAgain, firstParts, readModel, readRecipe, type Composed, type Part} from './recipe.ts'
import {renderStems} from './render.ts'
import {coverOf, songFile, type SongFacts} from './song-file.ts'

/* What is made of a song as it is: its tracks apart, or an extension and what it extends as one song. */

export const instrumentalText = '[Instrumental]'

export const seedOf = ({tags}: ReadSong): number | undefined => {
  const seed = tags.comment?.startsWith(sandboxNote) ? /Seed (\d+)/.exec(tags.comment)?.[1] : undefined
  return seed === undefined ? undefined : Number(seed)
}

/** The facts that a song's own tags tell. */
async function factsOf(source: ReadSong): Promise<SongFacts> {
  const {
    title = 'Song',
    lyrics = instrumentalText,
    genre = '',
    comment = sandboxNote,
    beatsPerMinute,
    images,
  } = source.tags
  const seed = seedOf(source) ?? 0
  const model = readModel(source.tags.raw)
  const cover = images?.[0]?.data ?? (await coverOf(title, seed))
  return {
    seed,
    title,
    text: lyrics,
    style: genre,
    comment,
    cover,
    ...(beatsPerMinute !== undefined && {beatsPerMinute}),
    ...(model !== undefined && {model}),
  }
}

/** The melody and the accompaniment of a song that the sandbox composed, each as long as the song. */
export async function makeStems(source: ReadSong, work: Work): Promise<MadeFile[]> {
  const parts = readRecipe(source.tags.raw)
  if (parts === undefined || !parts.every(isComposed))
    throw new MediaRefusal('bad_request', 'The sandbox takes only songs apart that it composed itself.')
  const tracks: EncodedAudio[][] = [[], []]
  for (const [index, part] of parts.entries()) {
    const share = partOf(work, (index / parts.length) * 98, ((index + 1) / parts.length) * 98)
    const stems = renderStems(composeAgain(part.composed), source.rate, part.composed.seed, partOf(share, 0, 50))
    for (const [track, sound] of stems.entries()) {
      const encoded = await encodeMp3(sound, source.channels, partOf(share, 50 + track * 25, 75 + track * 25))
      tracks[track]?.push({...encoded, packets: encoded.packets.slice(0, part.packets)})
    }
  }
  const facts = await factsOf(source)
  const isSung = parts.some(({composed}) => !composed.isInstrumental)
  const names = [isSung ? 'Voice' : 'Melody', 'Music']
  const files: MadeFile[] = []
  for (const [track, [first, ...others]] of tracks.entries()) {
    if (first === undefined) continue
    const title = `${facts.title} (${names[track]})`
    files.push(
      await songFile(joinAudio([first, ...others]), {...facts, title, ...(track > 0 && {text: instrumentalText})}),
    )
  }
  work.report(100)
  return files
}

const isComposed = (part: Part): part is Part & {composed: Composed} => part.composed !== undefined

/**
 * An extension and what it extends as one song: of each song before it, nearest first, as much as the next one goes on
 * from, then the new part.
 */
export async function makeWhole(source: ReadSong, earlier: readonly (ReadSong | undefined)[]): Promise<MadeFile> {
  const own = readRecipe(source.tags.raw)
  if (own?.[0]?.follows === undefined)
    throw new MediaRefusal('bad_request', 'This song extends no other: there is nothing to join.')
  let [audio, recipe]: [EncodedAudio, Part[]] = [source.audio, own]
  const lyrics = [source.tags.lyrics]
  for (const before of [...earlier, undefined]) {
    const [{follows, ...next} = {packets: 0}, ...others] = recipe
    if (follows === undefined) break
    if (before === undefined)
      throw new MediaRefusal('bad_request', 'The song that this one extends is not here any more.')
    const kept = {...before.audio, packets: before.audio.packets.slice(0, follows)}
    audio = joinAudio([kept, audio])
    lyrics.unshift(before.tags.lyrics)
    const parts = readRecipe(before.tags.raw) ?? [{packets: before.audio.packets.length}]
    recipe = [...firstParts(parts, follows), next, ...others]
  }
  const facts = await factsOf(source)
  return songFile(audio, {...facts, text: joinLyrics(lyrics) ?? facts.text, recipe})
}

/** What the parts say, in order. A part without words of its own repeats those before it, and adds none. */
function joinLyrics(parts: readonly (string | undefined)[]): string | undefined {
  const said = parts.filter((part) => part !== undefined && part.trim() !== '')
  const joined = said.filter((part, place) => part !== said[place - 1])
  return joined.length === 0 ? undefined : joined.join('\n\n')
}
