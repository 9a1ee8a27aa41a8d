import sharp from 'sharp'
import {paint} from '../art/scenes.ts'
import {fileName} from '../file-names.ts'
import {sandboxNote, sandboxSoftware} from '../labels.ts'
import type {SandboxFile} from '../media-job.ts'
import {imageFile} from '../image-file.ts'
import {wrapMp3, type EncodedAudio, type ReadSong} from './mp3.ts'
import {readModel, recipeTags, type Part} from './recipe.ts'

const coverSide = 640
export const instrumentalText = '[Instrumental]'

/** A square JPEG for a song, which every player supports. */
export async function coverOf(words: string, seed: number): Promise<Uint8Array> {
  const size = {width: coverSide, height: coverSide}
  const {svg, style} = paint(words, seed, size)
  return (await imageFile(sharp(svg), size, {prompt: words, label: {seed, style}, format: 'jpeg'})).file
}

export type SongFacts = {
  seed: number
  title: string
  text: string
  style: string
  comment: string
  beatsPerMinute?: number
  cover: Uint8Array
  /** The composition; without it the song can only be extended. */
  recipe?: readonly Part[]
  /** The requested model. */
  model?: string
}

/** Seed of a sandbox song, from its comment tag. */
export const seedOf = ({tags}: ReadSong): number | undefined => {
  const seed = tags.comment?.startsWith(sandboxNote) ? /Seed (\d+)/.exec(tags.comment)?.[1] : undefined
  return seed === undefined ? undefined : Number(seed)
}

/** Facts in a song's own tags. */
export async function factsOf(source: ReadSong): Promise<SongFacts> {
  const {title = 'Song', lyrics, genre = '', comment = sandboxNote, beatsPerMinute, images} = source.tags
  const seed = seedOf(source) ?? 0
  const model = readModel(source.tags.raw)
  return {
    seed,
    title,
    text: lyrics ?? instrumentalText,
    style: genre,
    comment,
    cover: images?.[0]?.data ?? (await coverOf(title, seed)),
    ...(beatsPerMinute !== undefined && {beatsPerMinute}),
    ...(model !== undefined && {model}),
  }
}

/** Sound with its tags, and its cover as a separate file. */
export async function songFile(audio: EncodedAudio, facts: SongFacts): Promise<SandboxFile> {
  const {seed, title, text, style, comment, beatsPerMinute, cover, recipe, model} = facts
  const file = await wrapMp3(audio, {
    title,
    artist: sandboxSoftware,
    genre: style,
    lyrics: text,
    comment,
    ...(beatsPerMinute !== undefined && {beatsPerMinute}),
    images: [{data: cover, mimeType: 'image/jpeg', kind: 'coverFront'}],
    raw: recipeTags(recipe, model),
  })
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
    ...(model !== undefined && {model}),
  }
}
