import {z} from '#contract/schema.ts'
import {seededRandom, type Random} from '../random.ts'

/**
 * A tune in the fewest values that reproduce it. The seed gives key, chords and melody; `opens` is the first section: a
 * continuation has no introduction.
 */
export const tuneForm = z.object({
  seed: z.number(),
  beatsPerMinute: z.number(),
  bars: z.number(),
  opens: z.enum(['intro', 'verse', 'chorus']),
})
export type Tune = z.output<typeof tuneForm>

export type Instrument = 'bell' | 'pad' | 'bass' | 'kick' | 'hat'

/** One sound. Times are in seconds; `pitch` counts half tones, 60 is the middle C; `pan` goes from -1, left, to 1. */
export type Note = {
  instrument: Instrument
  at: number
  seconds: number
  pitch: number
  loudness: number
  pan: number
}

/** Limits of a song's length in seconds. */
const [shortestSong, longestSong, usualSong] = [20, 40, 28]
/** Time for the last sounds to decay. */
const tailSeconds = 1.6
const beatsInBar = 4

const tempos = {slow: [72, 80, 88], medium: [96, 104, 112], fast: [124, 132, 140]} as const
const isSlow = /slow|calm|ballad|ambient|sleep|lullaby|sad|lo-?fi|chill/i
const isFast = /fast|dance|techno|house|rock|punk|metal|party|trance|drum/i
const temposOf = (words: string) =>
  isSlow.test(words) ? tempos.slow : isFast.test(words) ? tempos.fast : tempos.medium

function barsOf(beatsPerMinute: number, seconds = usualSong): number {
  const barSeconds = (beatsInBar * 60) / beatsPerMinute
  const wish = Math.min(longestSong, Math.max(shortestSong, seconds)) - tailSeconds
  return Math.max(8, Math.min(Math.floor((longestSong - tailSeconds) / barSeconds), Math.round(wish / barSeconds)))
}

/** A new tune. Of the prompt, only slow or fast has an effect. */
export function newTune(words: string, seed: number, seconds?: number): Tune {
  const beatsPerMinute = seededRandom('tempo', seed).pick(temposOf(words))
  return {seed, beatsPerMinute, bars: barsOf(beatsPerMinute, seconds), opens: 'intro'}
}

/** The same melody and chords at another tempo. Consecutive seeds give different tempos. */
export function coverOfTune(tune: Tune, words: string, seed: number): Tune {
  const others = temposOf(words).filter((tempo) => tempo !== tune.beatsPerMinute)
  const beatsPerMinute = others[seed % others.length] ?? tune.beatsPerMinute
  return {...tune, beatsPerMinute, bars: barsOf(beatsPerMinute), opens: 'intro'}
}

/** The continuation of a tune in its key and tempo. */
export const continuationOf = (tune: Tune, opens: 'verse' | 'chorus', seconds?: number): Tune => ({
  ...tune,
  bars: barsOf(tune.beatsPerMinute, seconds),
  opens,
})

const keyNames = ['C', 'C♯', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B']
const scales = [
  {name: 'major', steps: [0, 2, 4, 5, 7, 9, 11], chords: [[0, 4, 5, 3], [0, 5, 3, 4], [0, 3, 4, 3]]}, // oxfmt-ignore
  {name: 'minor', steps: [0, 2, 3, 5, 7, 8, 10], chords: [[0, 5, 2, 6], [0, 3, 5, 4], [0, 6, 5, 6]]}, // oxfmt-ignore
] as const
/** Rhythms of the melody in a bar, in beats. */
const rhythms = [
  [0, 1, 1.5, 2, 3],
  [0, 0.5, 1, 2, 3, 3.5],
  [0, 1.5, 2, 3.5],
  [0.5, 1, 1.5, 2.5, 3],
] as const

type Section = 'intro' | 'verse' | 'chorus' | 'end'

function sectionsOf({bars, opens}: Tune): Section[] {
  const intro = opens === 'intro' ? 2 : 0
  const body = bars - intro - 1
  const half = Math.ceil(body / 4) * 2
  const [first, second] = opens === 'chorus' ? (['chorus', 'verse'] as const) : (['verse', 'chorus'] as const)
  return Array.from({length: bars}, (_, bar) =>
    bar < intro ? 'intro' : bar === bars - 1 ? 'end' : bar < intro + half ? first : second,
  )
}

/** Two bars that repeat in each section of that name. */
function themeOf(random: Random) {
  const moves = [-2, -1, -1, 0, 1, 1, 2] as const
  return [0, 1].map(() => ({rhythm: random.pick(rhythms), moves: Array.from({length: 6}, () => random.pick(moves))}))
}

/** The notes of a tune, melody and accompaniment apart. */
export function compose(tune: Tune) {
  const random = seededRandom('tune', tune.seed)
  const scale = random.pick(scales)
  const key = random.integer(0, 11)
  const partOf = (own: Random) => ({chords: own.pick(scale.chords), theme: themeOf(own)})
  const parts = {verse: partOf(random.fork('verse')), chorus: partOf(random.fork('chorus'))}
  const beat = 60 / tune.beatsPerMinute
  const pitchOf = (step: number) => {
    const octave = Math.floor(step / 7)
    return 48 + key + 12 * octave + (scale.steps[step - 7 * octave] ?? 0)
  }
  const [melody, accompaniment]: [Note[], Note[]] = [[], []]
  for (const [bar, section] of sectionsOf(tune).entries()) {
    const isEnd = section === 'end'
    const part = parts[section === 'chorus' ? 'chorus' : 'verse']
    const chord = isEnd ? 0 : (part.chords[bar % 4] ?? 0)
    const strength = section === 'chorus' ? 1 : 0.8
    const play = (instrument: Instrument, beats: number, length: number, pitch: number, loudness: number, pan = 0) =>
      (instrument === 'bell' ? melody : accompaniment).push({
        instrument,
        at: (bar * beatsInBar + beats) * beat,
        seconds: length * beat,
        pitch,
        loudness: loudness * strength,
        pan,
      })
    for (const [index, tone] of [0, 2, 4].entries())
      play('pad', 0, beatsInBar * (isEnd ? 0.8 : 1.05), pitchOf(chord + tone + 7), 0.16, (index - 1) * 0.7)
    if (section === 'intro') continue
    play('bass', 0, isEnd ? 3 : 2, pitchOf(chord) - 12, 0.4)
    const theme = part.theme[bar % 2]
    const rhythm = isEnd ? [0] : (theme?.rhythm ?? [0])
    let step = 14 + ((chord + 3) % 7) - 3
    for (const [index, beats] of rhythm.entries()) {
      // strong beats use tones of the chord, others are free
      const free = Math.min(21, Math.max(11, step + (theme?.moves[index] ?? 0)))
      step = isEnd ? 14 : beats % 2 === 0 ? nearest(step, chord) : free
      play('bell', beats, (rhythm[index + 1] ?? beatsInBar) - beats, pitchOf(step), 0.34, 0.1)
    }
    if (isEnd) continue
    play('bass', 2.5, 1.3, pitchOf(chord) - 12, 0.32)
    for (const beats of [0, 2]) play('kick', beats, 0.3, 0, 0.5)
    for (const beats of [0.5, 1, 1.5, 2.5, 3, 3.5]) play('hat', beats, 0.2, 0, beats % 1 === 0 ? 0.12 : 0.07, 0.3)
  }
  const seconds = tune.bars * beatsInBar * beat + tailSeconds
  return {melody, accompaniment, seconds, key: `${keyNames[key]} ${scale.name}`}
}

/** The chord tone nearest to the step. */
function nearest(step: number, chord: number): number {
  const tones = [7, 14].flatMap((octave) => [0, 2, 4].map((tone) => chord + tone + octave))
  return tones.reduce((best, tone) => (Math.abs(tone - step) < Math.abs(best - step) ? tone : best), chord + 14)
}
