import type {Random} from '../random.ts'
import {noteAt, type Style, type Voice} from './styles.ts'

/* What each player of a song plays in one section of it. */

export type DrumSound = 'kick' | 'snare' | 'hat' | 'open' | 'clap' | 'shaker' | 'ride' | 'tom'
export type Instrument = 'bass' | 'sub' | 'strum' | 'pad' | 'power' | Voice | DrumSound

/** One sound. Times are in seconds; `pan` goes from -1, left, to 1, right. */
export type Note = {
  instrument: Instrument
  at: number
  seconds: number
  note: number
  loudness: number
  pan: number
  isMelody?: boolean
}

export type Section = {name: 'intro' | 'verse' | 'chorus' | 'outro'; bars: number}
export type Score = {
  style: Style
  key: number
  beat: number
  progression: readonly number[]
  chorusProgression: readonly number[]
  isSung: boolean
  random: Random
  notes: Note[]
}

const pitch = ({key, style}: Score, step: number, octaves = 0) => noteAt(key, style.scale, step) + 12 * octaves
/** Swung off-beats come late. */
const timeOf = ({style, beat}: Score, beats: number) => (beats % 1 === 0.5 ? beats + style.swing * 0.25 : beats) * beat

export function writeChord(score: Score, section: Section, at: number, chord: number, random: Random) {
  const {style, beat, notes} = score
  const bar = beat * style.beatsInBar
  const tones = style.name === 'jazz' || style.name === 'lo-fi' ? [0, 2, 4, 6] : [0, 2, 4]
  const strength = section.name === 'chorus' ? 0.9 : section.name === 'verse' ? 0.72 : 0.6
  const add = (instrument: Instrument, beats: number, seconds: number, note: number, loudness: number, pan: number) =>
    notes.push({instrument, at: at + timeOf(score, beats), seconds, note, loudness: loudness * strength, pan})
  switch (style.chords) {
    case 'pad':
      for (const [index, tone] of tones.entries())
        add('pad', 0, bar * 1.12, pitch(score, chord + tone, 1), 0.34, index - 1 + random.between(-0.2, 0.2))
      return
    case 'power':
      for (let beats = 0; beats < style.beatsInBar; beats += section.name === 'chorus' ? 1 : 0.5) {
        for (const tone of [0, 4])
          add(
            'power',
            beats,
            beat * (section.name === 'chorus' ? 1 : 0.45),
            pitch(score, chord + tone, 0),
            0.3,
            tone === 0 ? -0.6 : 0.6,
          )
      }
      return
    case 'strum':
      for (const beats of style.beatsInBar === 3 ? [0, 1, 2] : [0, 1, 1.5, 2.5, 3]) {
        for (const [index, tone] of [...tones, 7].entries()) {
          notes.push({
            instrument: 'strum',
            at: at + timeOf(score, beats) + index * 0.013,
            seconds: beat * 1.3,
            note: pitch(score, chord + tone, 1),
            loudness: (beats === 0 ? 0.34 : 0.22) * strength,
            pan: -0.35,
          })
        }
      }
      return
    case 'arpeggio': {
      const pattern = [...tones, 7, ...tones.toReversed().slice(0, 2)]
      for (let step = 0; step < style.beatsInBar * 2; step += 1) {
        const tone = pattern[step % pattern.length] ?? 0
        add(
          style.name === 'classical' ? 'keys' : 'pluck',
          step / 2,
          beat * 0.9,
          pitch(score, chord + tone, 1),
          0.36,
          Math.sin(step * 1.3) * 0.5,
        )
      }
      return
    }
    case 'keys':
      for (const beats of style.name === 'jazz' ? [0.5, 2.5] : [0, 1.5]) {
        for (const tone of tones) add('keys', beats, beat * 1.5, pitch(score, chord + tone, 1), 0.27, 0.25)
      }
  }
}

export function writeBass(score: Score, section: Section, at: number, chord: number, random: Random) {
  const {style, beat, notes} = score
  const add = (beats: number, step: number, length: number, octaves = -1) =>
    notes.push({
      instrument: style.bass === 'drone' || style.drums === 'trap' ? 'sub' : 'bass',
      at: at + timeOf(score, beats),
      seconds: beat * length,
      note: pitch(score, step, octaves),
      loudness: section.name === 'outro' ? 0.5 : 0.62,
      pan: 0,
    })
  if (section.name === 'outro' || style.bass === 'drone') return add(0, chord, style.beatsInBar)
  if (style.bass === 'roots') {
    add(0, chord, style.beatsInBar / 2)
    return add(style.beatsInBar === 3 ? 2 : 2.5, chord + (random.chance(0.5) ? 4 : 0), 1)
  }
  for (let beats = 0; beats < style.beatsInBar; beats += style.bass === 'walking' ? 1 : 0.5) {
    if (style.bass === 'walking') add(beats, chord + random.pick([0, 2, 4, 4, 6, 1]), 0.9)
    else if (style.bass === 'octaves') add(beats, chord, 0.4, beats % 1 === 0.5 ? 0 : -1)
    else add(beats, chord, 0.46)
  }
}

/** One bar as sixteen (or twelve) steps; x is full, o is soft. */
const grooves: Readonly<Record<Style['drums'], Partial<Record<DrumSound, string>>>> = {
  none: {},
  shaker: {shaker: 'x.o.x.o.x.o.x.o.', kick: 'x.......x.......'},
  rock: {kick: 'x.....x.x.......', snare: '....x.......x...', hat: 'x.o.x.o.x.o.x.o.'},
  lofi: {kick: 'x......x..x.....', snare: '....x.......x..o', hat: 'x.o.x.oox.o.x.o.'},
  house: {kick: 'x...x...x...x...', clap: '....x.......x...', open: '..x...x...x...x.', hat: 'o.o.o.o.o.o.o.o.'},
  trap: {kick: 'x.....x....x....', clap: '........x.......', hat: 'x.x.x.xxx.xxx.x.'},
  jazz: {ride: 'x...x..ox...x..o', hat: '....x.......x...', kick: 'o...............'},
  march: {kick: 'x...........', shaker: '....x...x...', tom: '........o...'},
}

export function writeDrums(score: Score, section: Section, at: number, isFill: boolean) {
  const {style, beat, notes} = score
  const groove = grooves[style.drums]
  const isSoft = section.name === 'outro' || section.name === 'intro'
  for (const [sound, steps] of Object.entries(groove)) {
    if (isSoft && sound !== 'hat' && sound !== 'shaker' && sound !== 'ride') continue
    for (const [step, mark] of [...steps].entries()) {
      if (mark === '.') continue
      const beats = step / 4
      notes.push({
        // as: the keys of `grooves` are drum sounds; Object.entries forgets that
        instrument: sound as DrumSound,
        at: at + timeOf(score, beats),
        seconds: 0.3,
        note: 0,
        loudness: (mark === 'x' ? 0.62 : 0.34) * (section.name === 'chorus' ? 1.1 : 0.9),
        pan: sound === 'hat' || sound === 'shaker' ? 0.35 : sound === 'ride' ? -0.35 : 0,
      })
    }
  }
  if (!isFill || style.drums === 'none') return
  for (let step = 0; step < 4; step += 1) {
    notes.push({
      instrument: 'tom',
      at: at + (style.beatsInBar - 1 + step / 4) * beat,
      seconds: 0.3,
      note: 50 - step * 4,
      loudness: 0.45,
      pan: step * 0.3 - 0.45,
    })
  }
}

/** Rhythms of a bar, in beats. */
const rhythms: Readonly<Record<3 | 4, readonly [readonly number[], ...(readonly number[])[]]>> = {
  4: [
    [0, 1, 1.5, 2, 3],
    [0, 0.5, 1, 2, 3, 3.5],
    [0, 1.5, 2, 3.5],
    [0.5, 1, 1.5, 2.5, 3],
    [0, 2],
  ],
  3: [
    [0, 1, 2],
    [0, 1.5, 2],
    [0, 0.5, 1, 2],
  ],
}

/** Two bars of theme that come back, the second time with another end. */
export function writeMelody(score: Score, section: Section, from: number, progression: readonly number[]) {
  const {style, beat, notes} = score
  const theme = score.random.fork(`theme ${section.name === 'chorus' ? 'chorus' : 'verse'}`)
  const bars = [0, 1].map((bar) => {
    const own = theme.fork(`bar ${bar}`)
    return {
      rhythm: own.pick(rhythms[style.beatsInBar]),
      moves: Array.from({length: 8}, () => own.pick([-2, -1, -1, 0, 1, 1, 2])),
    }
  })
  const voice: Instrument = score.isSung ? 'sung' : style.lead
  const start = section.name === 'chorus' ? 9 : 7
  for (let bar = 0; bar < section.bars; bar += 1) {
    const shape = bars[bar % 2]
    if (shape === undefined) continue
    const chord = progression[bar % progression.length] ?? 0
    const isEnd = bar === section.bars - 1
    const rhythm = isEnd ? [0] : bar % 4 === 3 ? shape.rhythm.slice(0, 3) : shape.rhythm
    let step = start + ((chord + 3) % 7) - 3
    for (const [index, beats] of rhythm.entries()) {
      // strong beats belong to the chord, the way between is free
      step = beats % 2 === 0 ? nearest(step, chord) : Math.min(14, Math.max(4, step + (shape.moves[index] ?? 0)))
      const until = rhythm[index + 1] ?? style.beatsInBar
      const loudness = (section.name === 'chorus' ? 0.5 : 0.42) * (beats % 1 === 0 ? 1 : 0.85)
      notes.push({
        instrument: voice,
        at: from + bar * style.beatsInBar * beat + timeOf(score, beats),
        seconds: (until - beats) * beat * (voice === 'sung' ? 0.95 : 0.88),
        note:
          pitch(score, isEnd ? 7 : step, section.name === 'outro' && voice !== 'sung' ? 1 : 0) +
          (voice === 'sung' ? 0 : 12),
        loudness,
        pan: 0.08,
        isMelody: true,
      })
    }
  }
}

/** The tone of the chord that is nearest to the step. */
function nearest(step: number, chord: number): number {
  const tones = [-7, 0, 7, 14].flatMap((octave) => [0, 2, 4].map((tone) => chord + tone + octave))
  return tones.reduce((best, tone) => (Math.abs(tone - step) < Math.abs(best - step) ? tone : best), chord + 7)
}
