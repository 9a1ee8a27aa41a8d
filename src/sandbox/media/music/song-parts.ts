import {MediaRefusal, partOf, type SandboxFile, type Work} from '../media-job.ts'
import {encodeMp3, joinAudio, type EncodedAudio, type ReadSong} from './mp3.ts'
import {firstParts, readRecipe, type Part} from './recipe.ts'
import {renderStems} from './render.ts'
import {factsOf, instrumentalText, songFile} from './song-file.ts'

/* Work on an existing song: separate its tracks, or join an extension with the song it extends. */

/** Melody and accompaniment of a song that the sandbox composed, each as long as the song. */
export async function makeStems(source: ReadSong, work: Work): Promise<SandboxFile[]> {
  const parts = readRecipe(source.tags.raw) ?? [{packets: 0}]
  const tracks: EncodedAudio[][] = [[], []]
  for (const [index, {tune, packets}] of parts.entries()) {
    if (tune === undefined)
      throw new MediaRefusal('bad_request', 'The sandbox takes only songs apart that it composed itself.')
    const share = partOf(work, (index / parts.length) * 98, ((index + 1) / parts.length) * 98)
    for (const [track, sound] of renderStems(tune, source.rate, partOf(share, 0, 50)).entries()) {
      const encodedPart = await encodeMp3(sound, source.channels, partOf(share, 50 + track * 25, 75 + track * 25))
      tracks[track]?.push({...encodedPart, packets: encodedPart.packets.slice(0, packets)})
    }
  }
  const facts = await factsOf(source)
  const files: SandboxFile[] = []
  for (const [track, name] of ['Melody', 'Accompaniment'].entries()) {
    const [first, ...others] = tracks[track] ?? []
    if (first === undefined) continue
    const title = `${facts.title} (${name})`
    files.push(
      await songFile(joinAudio([first, ...others]), {...facts, title, ...(track > 0 && {text: instrumentalText})}),
    )
  }
  work.report(100)
  return files
}

/**
 * Joins an extension with the songs it extends: of each earlier song, nearest first, the part before the continuation,
 * then the new part.
 */
export async function makeWhole(source: ReadSong, earlier: readonly (ReadSong | undefined)[]): Promise<SandboxFile> {
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
    audio = joinAudio([{...before.audio, packets: before.audio.packets.slice(0, follows)}, audio])
    lyrics.unshift(before.tags.lyrics)
    recipe = [...firstParts(partsOf(before), follows), next, ...others]
  }
  const facts = await factsOf(source)
  return songFile(audio, {...facts, text: joinLyrics(lyrics) || facts.text, recipe})
}

/** The parts of a song; an uploaded recording is one part without a tune. */
export const partsOf = ({audio, tags}: ReadSong): Part[] => readRecipe(tags.raw) ?? [{packets: audio.packets.length}]

/** The lyrics of the parts, in order. A part without its own repeats the ones before it and adds none. */
function joinLyrics(parts: readonly (string | undefined)[]): string {
  const texts = parts.filter((part) => part !== undefined && part.trim() !== '')
  return texts.filter((part, position) => part !== texts[position - 1]).join('\n\n')
}
