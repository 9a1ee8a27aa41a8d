import sharp from 'sharp'
import {paint, svg} from '../art/scenes.ts'
import {fileName} from '../file-names.ts'
import {exifOf, sandboxSoftware, xmpOf} from '../labels.ts'
import type {MadeFile} from '../media-job.ts'
import {drawOver} from '../picture-file.ts'
import {watermark} from '../watermark.ts'
import {wrapMp3, type EncodedAudio} from './mp3.ts'
import {recipeTags, type Part} from './recipe.ts'

const coverSide = 640

/** A square picture for a song, as JPEG, which every player shows. */
export async function coverOf(words: string, seed: number): Promise<Uint8Array> {
  const size = {width: coverSide, height: coverSide}
  const painting = paint(words, seed, size)
  const label = {seed, style: painting.style}
  const marked = await drawOver(sharp(svg(size, painting.layers)), size, [watermark(size)])
  return marked.withExif(exifOf(label)).withXmp(xmpOf(words, label)).jpeg({quality: 88}).toBuffer()
}

export type SongFacts = {
  seed: number
  title: string
  text: string
  style: string
  comment: string
  beatsPerMinute?: number
  cover: Uint8Array
  /** How it was composed; without it the song can only be extended. */
  recipe?: readonly Part[]
  /** The model that was asked for. */
  model?: string
}

/** Sound with its tags, and its cover beside it. */
export async function songFile(
  audio: EncodedAudio,
  {seed, title, text, style, comment, beatsPerMinute, cover, recipe, model}: SongFacts,
): Promise<MadeFile> {
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
