import type {MediaPlan} from '#contract/media/media-tool.ts'
import {fileName, videoTitle} from '../file-names.ts'
import type {SandboxFile} from '../media-job.ts'
import {seededRandom, type Random} from '../random.ts'

/** First line of each text of the sandbox, so that no reader takes it for a model's. */
export const lyricNote = '[Sandbox text: the words of the prompt, repeated without a model]'

/** Finds words in any language, also without spaces. */
const segmenter = new Intl.Segmenter(undefined, {granularity: 'word'})

/** Consecutive words of a text, with the text between them. */
function pieceOf(text: string, start: number, count: number): string {
  const words = [...segmenter.segment(text)].filter(({isWordLike}) => isWordLike).slice(start, start + count)
  const [first, last] = [words[0], words.at(-1)]
  return first && last ? text.slice(first.index, last.index + last.segment.length) : ''
}

/** Consecutive words of the prompt as a line. */
function lineOf(text: string, random: Random, most = 4): string {
  const words = [...segmenter.segment(text)].filter(({isWordLike}) => isWordLike).length
  const length = Math.min(words, random.integer(2, most))
  const line = pieceOf(text, random.integer(0, words - length), length)
  return line.charAt(0).toUpperCase() + line.slice(1)
}

/** Two verses and a chorus from pieces of the prompt, and so in its language. Deterministic for a seed. */
export function lyricOf(prompt: string, seed: number): string {
  const random = seededRandom('lyric', prompt, seed)
  const words = videoTitle(prompt) ?? 'la la la la'
  const verse = () => Array.from({length: 4}, () => lineOf(words, random))
  const hook = lineOf(words, random, 7)
  const chorus = ['[Chorus]', hook, lineOf(words, random), hook, lineOf(words, random)]
  const parts = [[lyricNote], ['[Verse 1]', ...verse()], chorus, ['[Verse 2]', ...verse()], chorus]
  return parts.map((part) => part.join('\n')).join('\n\n')
}

/** Words of the prompt, or a number. */
export const titleOf = (prompt: string, seed: number): string =>
  pieceOf(videoTitle(prompt) ?? '', 0, 8) || `Sandbox song ${seed % 1000}`

/** The text of a song alone. */
export function writeLyrics(plan: MediaPlan, seed: number): SandboxFile {
  const text = plan.song?.lyric ?? lyricOf(plan.prompt, seed)
  return {
    medium: 'text',
    file: new TextEncoder().encode(text),
    type: 'text/plain',
    name: fileName(plan.prompt, seed, 'txt'),
    seed,
    title: plan.song?.title ?? titleOf(plan.prompt, seed),
    text,
  }
}
