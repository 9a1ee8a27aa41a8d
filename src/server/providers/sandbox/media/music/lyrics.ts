import type {MediaPlan} from '#contract/media/media-tool.ts'
import {fileName} from '../file-names.ts'
import type {MadeFile} from '../media-job.ts'
import {seededRandom, type Random} from '../random.ts'

/** First line of every text of the sandbox: nobody shall take it for a model's. */
export const lyricNote = '[Sandbox text from word lists, written without a model]'

const fillers = new Set(
  'a an and are about as at be by for from in into is it its make me my of on or our please sing song that the their this to track tune upbeat up us want we with write you your music style sound some like just'.split(
    ' ',
  ),
)

const places = [
  'the harbour',
  'an open road',
  'the quiet town',
  'the edge of night',
  'a paper sky',
  'the northern line',
  'the empty shore',
  'a window seat',
] as const
/** Ends that rhyme, two by two. */
const rhymes: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['light', 'night'],
  ['away', 'today'],
  ['sea', 'free'],
  ['rain', 'train'],
  ['fire', 'wire'],
  ['slow', 'glow'],
  ['stone', 'home'],
  ['air', 'there'],
]
const openings = [
  'I saw the {thing} by {place}',
  'There is a {thing} beyond {place}',
  'We left the {thing} behind {place}',
  'The {thing} was waiting near {place}',
] as const
const turns = [
  'and every street was turning to the {rhyme}',
  'and nobody could hold it to the {rhyme}',
  'so I kept counting footsteps to the {rhyme}',
  'and all we had was kindness and the {rhyme}',
] as const
const answers = [
  'We said we would come back without the {rhyme}',
  'It hummed a little louder than the {rhyme}',
  'I folded up the morning in the {rhyme}',
  'You laughed and pointed softly at the {rhyme}',
] as const
const hooks = [
  'Oh {thing}, carry me over {place}',
  'Sing it again, {thing}, out by {place}',
  'Hold on, hold on, {thing}, until {place}',
] as const

/** The words of a prompt that carry it, at most five. */
function themeWords(prompt: string): string[] {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}'’-]{2,}/gu) ?? []
  const carrying = words.filter((word) => !fillers.has(word) && !/^-/.test(word))
  return [...new Set(carrying)].slice(0, 5)
}

/** Two verses and a chorus about the words of the prompt, from lists; the same for the same seed. */
export function lyricOf(prompt: string, seed: number): string {
  const random = seededRandom('lyric', prompt, seed)
  const [first = 'song', ...more] = themeWords(prompt)
  const things = [first, ...more] as [string, ...string[]]
  const chorus = chorusOf(things, random.fork('chorus'))
  return [
    lyricNote,
    '',
    '[Verse 1]',
    ...verse(things, random.fork('verse 1')),
    '',
    '[Chorus]',
    ...chorus,
    '',
    '[Verse 2]',
    ...verse(things, random.fork('verse 2')),
    '',
    '[Chorus]',
    ...chorus,
  ].join('\n')
}

const fill = (line: string, values: Record<string, string>) =>
  line.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

function verse(things: readonly [string, ...string[]], random: Random): string[] {
  return [0, 1].flatMap(() => {
    const [end, echo] = random.pick(rhymes)
    return [
      fill(random.pick(openings), {thing: random.pick(things), place: random.pick(places)}),
      fill(random.pick(turns), {rhyme: end}),
      fill(random.pick(answers), {rhyme: echo}),
    ]
  })
}

function chorusOf(things: readonly [string, ...string[]], random: Random): string[] {
  const hook = fill(random.pick(hooks), {thing: things[0], place: random.pick(places)})
  const [end, echo] = random.pick(rhymes)
  return [hook, fill(random.pick(turns), {rhyme: end}), hook, fill(random.pick(answers), {rhyme: echo})]
}

/** A title from the words of the prompt. */
export function titleOf(prompt: string, seed: number): string {
  const words = themeWords(prompt).slice(0, 3)
  if (words.length === 0) return `Sandbox Song ${seed % 1000}`
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

/** The text of a song alone. */
export function writeLyrics(plan: MediaPlan, seed: number): MadeFile {
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
