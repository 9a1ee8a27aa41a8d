import type {Work} from '../media-job.ts'
import {seededRandom} from '../random.ts'
import type {Composition, Note} from './composition.ts'
import {players} from './instruments.ts'

/** Sound of two sides, from -1 to 1. */
export type Stereo = {left: Float32Array; right: Float32Array; rate: number}

/** Plays a composition. `rate` is in samples a second. */
export function render({notes, seconds, style}: Composition, rate: number, seed: number, work: Work): Stereo {
  const length = Math.ceil(seconds * rate)
  const song: Stereo = {left: new Float32Array(length), right: new Float32Array(length), rate}
  const cache = new Map<string, Float32Array>()
  for (const [index, note] of notes.entries()) {
    if (index % 24 === 0) {
      work.checkpoint()
      work.report((index / notes.length) * 80)
    }
    play(song, note, cache)
  }
  work.checkpoint()
  addEcho(song, style.echo)
  if (style.crackle > 0) addCrackle(song, style.crackle, seed)
  master(song)
  work.report(100)
  return song
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

/** Brings the song to one loudness, rounds off peaks and lets the end fade. */
function master({left, right, rate}: Stereo) {
  let energy = 0
  for (let index = 0; index < left.length; index += 1) {
    energy += (left[index] as number) ** 2 + (right[index] as number) ** 2
  }
  const gain = 0.17 / Math.max(1e-6, Math.sqrt(energy / (2 * left.length)))
  const fadeFrom = left.length - fadeSeconds * rate
  for (let index = 0; index < left.length; index += 1) {
    const fade = index < fadeFrom ? 1 : Math.max(0, (left.length - index) / (fadeSeconds * rate))
    left[index] = Math.tanh((left[index] as number) * gain) * headroom * fade
    right[index] = Math.tanh((right[index] as number) * gain) * headroom * fade
  }
}
