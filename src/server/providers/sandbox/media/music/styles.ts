import type {Random} from '../random.ts'

export type Scale = 'major' | 'minor' | 'dorian' | 'pentatonic'
export type Drums = 'none' | 'shaker' | 'rock' | 'lofi' | 'house' | 'trap' | 'jazz' | 'march'
export type Voice = 'pluck' | 'keys' | 'bell' | 'lead' | 'flute' | 'sung'

/** What makes a kind of music sound like itself. */
export type Style = {
  name: string
  /** Beats a minute. */
  tempo: readonly [number, number]
  beatsInBar: 3 | 4
  scale: Scale
  /** Chords as steps of the scale, one a bar. */
  progressions: readonly [readonly number[], ...(readonly number[])[]]
  drums: Drums
  bass: 'roots' | 'eighths' | 'walking' | 'octaves' | 'drone'
  chords: 'strum' | 'pad' | 'keys' | 'power' | 'arpeggio'
  lead: Voice
  /** How late off-beats are, as a share of half a beat. */
  swing: number
  /** Loudness of room echo, and of the crackle of an old record. */
  echo: number
  crackle: number
}

type Kind = Style & {words: RegExp}

const bright = [
  [0, 4, 5, 3],
  [0, 5, 3, 4],
  [0, 3, 4, 3],
] as const
const dark = [
  [0, 5, 2, 6],
  [0, 3, 5, 4],
  [0, 6, 5, 6],
] as const
const plain = {beatsInBar: 4, swing: 0, echo: 0.16, crackle: 0} as const

const pop: Kind = {
  ...plain,
  name: 'pop',
  words: /\b(?:pop|indie|k-?pop|disco|dance pop|anthem)/,
  tempo: [98, 122],
  scale: 'major',
  progressions: bright,
  drums: 'rock',
  bass: 'eighths',
  chords: 'keys',
  lead: 'lead',
}

const kinds: readonly [Kind, ...Kind[]] = [
  {
    ...plain,
    name: 'ambient',
    words: /\b(?:ambient|drone|meditat|sleep|calm|space|ethereal|atmospher|choir)/,
    tempo: [60, 74],
    scale: 'dorian',
    progressions: [
      [0, 3, 0, 5],
      [0, 5, 3, 3],
    ],
    drums: 'none',
    bass: 'drone',
    chords: 'pad',
    lead: 'bell',
    echo: 0.42,
  },
  {
    ...plain,
    name: 'lo-fi',
    words: /\b(?:lo-?fi|chill|study|hip.?hop|rap|boom bap|r&b|soul|rainy)/,
    tempo: [74, 88],
    scale: 'dorian',
    progressions: [
      [0, 3, 4, 0],
      [0, 5, 1, 4],
    ],
    drums: 'lofi',
    bass: 'roots',
    chords: 'keys',
    lead: 'keys',
    swing: 0.28,
    crackle: 0.5,
  },
  {
    ...plain,
    name: 'trap',
    words: /\b(?:trap|drill|phonk|bass music|dubstep)/,
    tempo: [66, 76],
    scale: 'minor',
    progressions: dark,
    drums: 'trap',
    bass: 'octaves',
    chords: 'arpeggio',
    lead: 'bell',
    echo: 0.22,
  },
  {
    ...plain,
    name: 'electronic',
    words: /\b(?:techno|house|edm|electro|trance|synth|dance|club|rave|cyber|neon|8-?bit|chiptune)/,
    tempo: [118, 130],
    scale: 'minor',
    progressions: dark,
    drums: 'house',
    bass: 'octaves',
    chords: 'arpeggio',
    lead: 'lead',
    echo: 0.2,
  },
  {
    ...plain,
    name: 'jazz',
    words: /\b(?:jazz|swing|bossa|blues|lounge|saxo)/,
    tempo: [104, 132],
    scale: 'dorian',
    progressions: [
      [1, 4, 0, 5],
      [0, 5, 1, 4],
    ],
    drums: 'jazz',
    bass: 'walking',
    chords: 'keys',
    lead: 'flute',
    swing: 0.6,
  },
  {
    ...plain,
    name: 'rock',
    words: /\b(?:rock|metal|punk|grunge|guitar solo|hard|garage)/,
    tempo: [116, 144],
    scale: 'minor',
    progressions: [
      [0, 5, 6, 0],
      [0, 2, 5, 6],
    ],
    drums: 'rock',
    bass: 'eighths',
    chords: 'power',
    lead: 'lead',
    echo: 0.12,
  },
  {
    ...plain,
    name: 'sea shanty',
    words: /\b(?:shanty|sailor|pirate|celtic|irish|polka|waltz|march)/,
    tempo: [132, 152],
    beatsInBar: 3,
    scale: 'dorian',
    progressions: [
      [0, 6, 0, 6],
      [0, 3, 6, 0],
    ],
    drums: 'march',
    bass: 'roots',
    chords: 'strum',
    lead: 'flute',
    echo: 0.2,
  },
  {
    ...plain,
    name: 'folk',
    words: /\b(?:folk|acoustic|country|bluegrass|campfire|ballad|banjo|singer)/,
    tempo: [88, 108],
    scale: 'major',
    progressions: bright,
    drums: 'shaker',
    bass: 'roots',
    chords: 'strum',
    lead: 'pluck',
    echo: 0.2,
  },
  {
    ...plain,
    name: 'classical',
    words: /\b(?:classic|orchestr|piano|string quartet|baroque|cinematic|epic|film|waltz|soundtrack)/,
    tempo: [76, 96],
    scale: 'minor',
    progressions: dark,
    drums: 'none',
    bass: 'roots',
    chords: 'arpeggio',
    lead: 'keys',
    echo: 0.34,
  },
  pop,
]

/** The kind that the style or the prompt names; else the seed chooses. */
export function chooseStyle(words: string, random: Random): Style {
  const text = words.toLowerCase()
  return kinds.find((kind) => kind.words.test(text)) ?? random.pick(kinds)
}

const steps: Readonly<Record<Scale, readonly number[]>> = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  pentatonic: [0, 3, 5, 7, 10],
}

/** The note of a step of the scale, counted in half tones (60 is the middle C). Steps go on over the octave and below. */
export function noteAt(key: number, scale: Scale, step: number): number {
  const tones = steps[scale]
  const octave = Math.floor(step / tones.length)
  return key + octave * 12 + (tones[step - octave * tones.length] ?? 0)
}

export const frequencyOf = (note: number): number => 440 * 2 ** ((note - 69) / 12)
