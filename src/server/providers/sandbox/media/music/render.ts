import type {Work} from '../media-job.ts'
import {seededRandom} from '../random.ts'
import type {Composition} from './composition.ts'
import type {Note} from './score.ts'
import {players} from './instruments.ts'

/** Sound of two sides, from -1 to 1. */
export type Stereo = {left: Float32Array; right: Float32Array; rate: number}

/** Plays a composition. `rate` is in samples a second. */
export function render(composition: Composition, rate: number, seed: number, work: Work): Stereo {
  const [song] = renderTracks(composition, [composition.notes], {rate, seed, work})
  if (song === undefined) throw new Error('no track was asked for')
  return song
}

/** Its melody and its accompaniment apart; mixed they are the song, sample by sample. */
export function renderStems(composition: Composition, rate: number, seed: number, work: Work): Stereo[] {
  const isMelody = ({isMelody: is}: Note) => is === true
  const tracks = [composition.notes.filter(isMelody), composition.notes.filter((note) => !isMelody(note))]
  return renderTracks(composition, tracks, {rate, seed, work})
}

function renderTracks(
  {seconds, style}: Composition,
  tracks: readonly (readonly Note[])[],
  {rate, seed, work}: {rate: number; seed: number; work: Work},
): Stereo[] {
  const length = Math.ceil(seconds * rate)
  const cache = new Map<string, Float32Array>()
  const played = tracks.map((notes, track) => {
    const song: Stereo = {left: new Float32Array(length), right: new Float32Array(length), rate}
    for (const [index, note] of notes.entries()) {
      if (index % 24 === 0) {
        work.checkpoint()
        work.report(((track + index / notes.length) / tracks.length) * 80)
      }
      play(song, note, cache)
    }
    work.checkpoint()
    addEcho(song, style.echo)
    return song
  })
  const last = played.at(-1)
  if (style.crackle > 0 && last) addCrackle(last, style.crackle, seed)
  master(played, rate)
  work.report(100)
  return played
}

/** Equal sounds, such as drums, are made once. */
function play({left, right, rate}: Stereo, note: Note, cache: Map<string, Float32Array>) {
  const variant = note.note === 0 ? Math.round(note.at * 4) % 4 : Math.round(note.at * 1000)
  const name = `${note.instrument} ${note.note} ${note.seconds.toFixed(4)} ${variant}`
  const samples = cache.get(name) ?? players[note.instrument](note, rate)
  if (note.note === 0) cache.set(name, samples)
  const start = Math.round(note.at * rate)
  const [toLeft, toRight] = [note.loudness * Math.min(1, 1 - note.pan), note.loudness * Math.min(1, 1 + note.pan)]
  const end = Math.min(samples.length, left.length - start)
  for (let index = 0; index < end; index += 1) {
    const value = samples[index] as number
    left[start + index] = (left[start + index] as number) + value * toLeft
    right[start + index] = (right[start + index] as number) + value * toRight
  }
}

/** Room: four loops of uneven length a side, the right ones a little longer (after Schroeder). */
function addEcho({left, right, rate}: Stereo, loudness: number) {
  if (loudness <= 0) return
  const delays = [0.0297, 0.0371, 0.0411, 0.0437]
  for (const [side, samples] of [left, right].entries()) {
    const dry = samples.slice()
    for (const delay of delays) {
      const loop = new Float32Array(Math.round(rate * (delay + side * 0.0011) * 1.6))
      let [place, smooth] = [0, 0]
      for (let index = 0; index < dry.length; index += 1) {
        const out = loop[place] as number
        smooth += (out - smooth) * 0.45
        loop[place] = (dry[index] as number) + smooth * 0.78
        samples[index] = (samples[index] as number) + out * loudness * 0.28
        place = place + 1 === loop.length ? 0 : place + 1
      }
    }
  }
}

/** Dust on the record. */
function addCrackle({left, right, rate}: Stereo, loudness: number, seed: number) {
  const random = seededRandom('crackle', seed)
  for (let index = 0; index < left.length; index += random.integer(Math.round(rate * 0.004), Math.round(rate * 0.09))) {
    const size = random.between(0.02, 0.12) * loudness * (random.chance(0.06) ? 3 : 1)
    for (let step = 0; step < 14 && index + step < left.length; step += 1) {
      const value = size * random.between(-1, 1) * Math.exp(-step / 4)
      left[index + step] = (left[index + step] as number) + value
      right[index + step] = (right[index + step] as number) + value
    }
  }
}

const headroom = 0.9
const fadeSeconds = 1.4

/** Brings the mix of the tracks to one loudness, rounds off its peaks and lets its end fade. */
function master(tracks: readonly Stereo[], rate: number) {
  const sides = [tracks.map(({left}) => left), tracks.map(({right}) => right)]
  const mixes = sides.map(mixOf)
  const length = mixes[0]?.length ?? 0
  const energy = mixes.reduce((sum, mix) => sum + mix.reduce((part, value) => part + value ** 2, 0), 0)
  const gain = 0.17 / Math.max(1e-6, Math.sqrt(energy / (2 * length)))
  const fadeFrom = length - fadeSeconds * rate
  for (const [side, mix] of mixes.entries()) {
    for (let index = 0; index < length; index += 1) {
      const fade = index < fadeFrom ? 1 : Math.max(0, (length - index) / (fadeSeconds * rate))
      const dry = mix[index] as number
      const rounded = dry === 0 ? gain : Math.tanh(dry * gain) / dry
      for (const samples of sides[side] ?? []) samples[index] = (samples[index] as number) * rounded * headroom * fade
    }
  }
}

function mixOf([first, ...others]: readonly Float32Array[]): Float32Array {
  const mix = new Float32Array(first ?? [])
  for (const samples of others)
    for (let index = 0; index < mix.length; index += 1) mix[index] = (mix[index] as number) + (samples[index] as number)
  return mix
}
