import {seededRandom} from '../random.ts'
import {writeBass, writeChord, writeDrums, writeMelody, type Note, type Score, type Section} from './score.ts'
import {chooseStyle, type Style} from './styles.ts'

export type Composition = {
  style: Style
  notes: Note[]
  /** To the end of the last echo. */
  seconds: number
  beatsPerMinute: number
  key: string
}

/** Bounds of a song, in seconds. */
const shortestSong = 20
const longestSong = 40
const tailSeconds = 1.6

const keyNames = ['C', 'C♯', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B']

/**
 * A song for a style and a seed: key, tempo, chords, bass, drums and a melody that comes back. A continuation has the
 * same key, tempo and themes and begins in the middle, with the chorus or with the verse; an arrangement has the same
 * key, chords and themes in another style, or in the same one at another tempo.
 */
export function compose(
  words: string,
  {
    seed,
    isInstrumental,
    seconds,
    isContinuation = false,
    isVerseFirst = !isContinuation,
    arrangement,
  }: {
    seed: number
    isInstrumental: boolean
    seconds?: number
    isContinuation?: boolean
    isVerseFirst?: boolean
    arrangement?: Arrangement
  },
): Composition {
  const random = seededRandom('song', words, seed)
  const own = chooseStyle(words, random.fork('style'))
  const ownTempo = random.integer(...own.tempo)
  const arranged = arrangement && arrangedStyle(own, arrangement)
  const style = arranged?.style ?? own
  const beatsPerMinute = arranged?.tempo ?? ownTempo
  const beat = 60 / beatsPerMinute
  const wish = Math.min(longestSong, Math.max(shortestSong, seconds ?? random.between(26, 36)))
  const barSeconds = beat * style.beatsInBar
  const bars = Math.max(
    8,
    Math.min(Math.floor((longestSong - tailSeconds) / barSeconds), Math.round((wish - tailSeconds) / barSeconds)),
  )
  const key = random.integer(0, 11)
  const score: Score = {
    style,
    key: 48 + key,
    beat,
    progression: random.pick(own.progressions),
    chorusProgression: random.pick(own.progressions),
    isSung: !isInstrumental,
    random,
    notes: [],
  }
  let bar = 0
  for (const [index, section] of sectionsOf(bars, {isContinuation, isVerseFirst}).entries()) {
    writeSection(score, section, bar, index)
    bar += section.bars
  }
  return {
    style,
    notes: score.notes,
    seconds: bars * barSeconds + tailSeconds,
    beatsPerMinute,
    key: `${keyNames[key]} ${style.scale}`,
  }
}

/** Another dress for a song: words that name a style, and the seed of its tempo. */
export type Arrangement = {words: string; seed: number}

function arrangedStyle(own: Style, {words, seed}: Arrangement): {style: Style; tempo: number} {
  const random = seededRandom('arrangement', words, seed)
  const style = words === '' ? own : chooseStyle(words, random.fork('style'))
  return {style: {...style, scale: own.scale}, tempo: random.integer(...style.tempo)}
}

function sectionsOf(
  bars: number,
  {isContinuation, isVerseFirst}: {isContinuation: boolean; isVerseFirst: boolean},
): Section[] {
  const intro = isContinuation ? 0 : bars >= 14 ? 2 : 1
  const outro = bars >= 12 ? 2 : 1
  const body = bars - intro - outro
  const first = Math.ceil(body / 2 / 2) * 2
  const names = isVerseFirst ? (['verse', 'chorus'] as const) : (['chorus', 'verse'] as const)
  const all: Section[] = [
    {name: 'intro', bars: intro},
    {name: names[0], bars: first},
    {name: names[1], bars: body - first},
    {name: 'outro', bars: outro},
  ]
  return all.filter((section) => section.bars > 0)
}

function writeSection(score: Score, section: Section, firstBar: number, index: number) {
  const {style, beat, random} = score
  const barSeconds = beat * style.beatsInBar
  const progression = section.name === 'chorus' ? score.chorusProgression : score.progression
  for (let bar = 0; bar < section.bars; bar += 1) {
    const at = (firstBar + bar) * barSeconds
    const chord =
      section.name === 'outro' && bar === section.bars - 1 ? 0 : (progression[bar % progression.length] ?? 0)
    const isLast = bar === section.bars - 1
    writeChord(score, section, at, chord, random.fork(`chord ${index} ${bar}`))
    if (section.name !== 'intro') writeBass(score, section, at, chord, random.fork(`bass ${bar}`))
    if (section.name !== 'intro' || bar > 0) writeDrums(score, section, at, isLast && section.name !== 'outro')
  }
  if (section.name !== 'intro') writeMelody(score, section, firstBar * barSeconds, progression)
}
