import {seededRandom} from '../random.ts'
import type {Instrument, Note} from './score.ts'
import {frequencyOf} from './styles.ts'

const turn = 2 * Math.PI

/** One sound alone, from -1 to 1, as many samples as it takes to die away. */
type Player = (note: Note, rate: number) => Float32Array

const sound = (seconds: number, rate: number) => new Float32Array(Math.max(1, Math.ceil(seconds * rate)))

/** Up in `attack` seconds, down again at the end in `release`. */
const envelope = (time: number, seconds: number, attack: number, release: number) =>
  Math.min(1, time / attack) * Math.min(1, Math.max(0, (seconds + release - time) / release))

/** A plucked string: noise that runs round in a loop and is softened each time (Karplus and Strong). */
const pluck =
  (damping: number, brightness: number): Player =>
  ({note, seconds, at}, rate) => {
    const length = Math.max(2, Math.round(rate / frequencyOf(note)))
    const random = seededRandom('string', note, Math.round(at * 1000))
    const loop = new Float32Array(length)
    let smooth = 0
    for (let index = 0; index < length; index += 1) {
      smooth += (random.between(-1, 1) - smooth) * brightness
      loop[index] = smooth
    }
    const release = 0.25
    const result = sound(seconds + release, rate)
    for (let index = 0, place = 0; index < result.length; index += 1) {
      const next = place + 1 === length ? 0 : place + 1
      const value = loop[place] ?? 0
      result[index] = value * 2.2 * envelope(index / rate, seconds, 0.002, release)
      loop[place] = (value + (loop[next] ?? 0)) * 0.5 * damping
      place = next
    }
    return result
  }

/** A sine whose phase is shaken by another one: electric pianos and bells. */
const struck =
  (ratio: number, depth: number, fade: number): Player =>
  ({note, seconds}, rate) => {
    const release = 0.35
    const result = sound(seconds + release, rate)
    const step = (turn * frequencyOf(note)) / rate
    for (let index = 0; index < result.length; index += 1) {
      const time = index / rate
      const shake = depth * Math.exp(-time * 5) * Math.sin(step * ratio * index)
      result[index] = Math.sin(step * index + shake) * Math.exp(-time * fade) * envelope(time, seconds, 0.004, release)
    }
    return result
  }

/** Saw teeth a little out of tune with each other, through a low pass. */
const saws =
  (voices: readonly number[], cutoff: number, attack: number, release: number, drive = 0): Player =>
  ({note, seconds}, rate) => {
    const result = sound(seconds + release, rate)
    const frequency = frequencyOf(note)
    const share = 1 - Math.exp((-turn * Math.min(cutoff * frequency, 9000)) / rate)
    let [first, second] = [0, 0]
    for (let index = 0; index < result.length; index += 1) {
      const time = index / rate
      let value = 0
      for (const detune of voices) {
        const phase = (frequency * (1 + detune) * time) % 1
        value += 2 * phase - 1
      }
      value /= voices.length
      if (drive > 0) value = Math.tanh(value * drive)
      first += (value - first) * share
      second += (first - second) * share
      result[index] = second * envelope(time, seconds, attack, release)
    }
    return result
  }

/** A soft wave with vibrato, and breath for a flute. */
const blown =
  (overtone: number, breath: number): Player =>
  ({note, seconds, at}, rate) => {
    const release = 0.12
    const result = sound(seconds + release, rate)
    const frequency = frequencyOf(note)
    const random = seededRandom('breath', Math.round(at * 1000))
    let phase = 0
    for (let index = 0; index < result.length; index += 1) {
      const time = index / rate
      const vibrato = 1 + 0.006 * Math.min(1, time * 2.5) * Math.sin(turn * 5.4 * time)
      phase += (turn * frequency * vibrato) / rate
      const tone = Math.sin(phase) + overtone * Math.sin(2 * phase) + overtone * 0.6 * Math.sin(3 * phase)
      result[index] = (tone * 0.7 + breath * random.between(-1, 1)) * envelope(time, seconds, 0.04, release)
    }
    return result
  }

/** Resonances of the mouth in hertz, and their loudness: a, e, o, u. */
const vowels = [
  [700, 1220, 2600],
  [480, 1900, 2500],
  [450, 850, 2400],
  [330, 780, 2240],
] as const

/** A voice that sings vowels, never words. */
const sung: Player = ({note, seconds, at}, rate) => {
  const release = 0.14
  const result = sound(seconds + release, rate)
  const frequency = frequencyOf(note)
  const vowel = vowels[Math.floor(at * 7) % vowels.length] ?? vowels[0]
  const mouths = vowel.map((centre, index) => {
    const radius = Math.exp((-Math.PI * (80 + 40 * index)) / rate)
    return {
      first: 2 * radius * Math.cos((turn * centre) / rate),
      second: radius * radius,
      gain: (1 - radius) * (1 - index * 0.28),
      y1: 0,
      y2: 0,
    }
  })
  let phase = 0
  for (let index = 0; index < result.length; index += 1) {
    const time = index / rate
    const scoop = 1 - 0.03 * Math.exp(-time * 22)
    const vibrato = 1 + 0.009 * Math.min(1, Math.max(0, time - 0.15) * 3) * Math.sin(turn * 5.6 * time)
    phase = (phase + (frequency * scoop * vibrato) / rate) % 1
    const glottis = phase < 0.4 ? Math.sin((Math.PI * phase) / 0.4) : -0.35
    let value = 0
    for (const mouth of mouths) {
      const out = glottis * mouth.gain + mouth.first * mouth.y1 - mouth.second * mouth.y2
      mouth.y2 = mouth.y1
      mouth.y1 = out
      value += out
    }
    result[index] = Math.tanh(value * 1.5) * envelope(time, seconds, 0.05, release)
  }
  return result
}

const bass: Player = (note, rate) => {
  const result = saws([0, 0.002], 4, 0.006, 0.06)(note, rate)
  const step = (turn * frequencyOf(note.note)) / rate
  for (let index = 0; index < result.length; index += 1) {
    const time = index / rate
    result[index] =
      (result[index] ?? 0) * 0.5 + 0.75 * Math.sin(step * index) * envelope(time, note.seconds, 0.006, 0.06)
  }
  return result
}

const sub: Player = ({note, seconds}, rate) => {
  const result = sound(seconds + 0.3, rate)
  const step = (turn * frequencyOf(note)) / rate
  for (let index = 0; index < result.length; index += 1) {
    result[index] = Math.tanh(1.6 * Math.sin(step * index)) * 0.8 * envelope(index / rate, seconds, 0.03, 0.3)
  }
  return result
}

/** A drum: a tone that falls, and noise of which the lows are taken away. Seconds until they are a third. */
const drum =
  ({from = 0, to = 0, fall = 0.05, tone = 0, toneFade = 0.1, noise = 0, noiseFade = 0.05, isThin = false}): Player =>
  ({at, note}, rate) => {
    const result = sound(Math.max(toneFade, noiseFade) * 5, rate)
    const random = seededRandom('drum', Math.round(at * 1000))
    const [high, low] = note > 0 ? [frequencyOf(note) * 1.5, frequencyOf(note)] : [from, to]
    let [phase, last] = [0, 0]
    for (let index = 0; index < result.length; index += 1) {
      const time = index / rate
      phase += (turn * (low + (high - low) * Math.exp(-time / fall))) / rate
      const hiss = random.between(-1, 1)
      const thin = isThin ? (hiss - last) * 0.7 : hiss
      last = hiss
      result[index] = tone * Math.sin(phase) * Math.exp(-time / toneFade) + noise * thin * Math.exp(-time / noiseFade)
    }
    return result
  }

/** Every instrument, made of nothing but arithmetic. */
export const players: Readonly<Record<Instrument, Player>> = {
  bass,
  sub,
  sung,
  strum: pluck(0.996, 0.55),
  pluck: pluck(0.997, 0.8),
  keys: struck(1, 1.6, 1.5),
  bell: struck(3.5, 2.2, 1.9),
  pad: saws([-0.004, 0, 0.0045], 2.4, 0.5, 0.7),
  power: saws([-0.003, 0.003], 7, 0.004, 0.05, 6),
  lead: saws([-0.005, 0.005], 5, 0.012, 0.09),
  flute: blown(0.22, 0.03),
  kick: drum({from: 170, to: 46, fall: 0.035, tone: 1.2, toneFade: 0.16, noise: 0.1, noiseFade: 0.006}),
  snare: drum({from: 240, to: 180, fall: 0.03, tone: 0.45, toneFade: 0.07, noise: 0.6, noiseFade: 0.075}),
  clap: drum({noise: 0.7, noiseFade: 0.075, isThin: true}),
  hat: drum({noise: 0.4, noiseFade: 0.022, isThin: true}),
  open: drum({noise: 0.4, noiseFade: 0.085, isThin: true}),
  shaker: drum({noise: 0.28, noiseFade: 0.04, isThin: true}),
  ride: drum({from: 5200, to: 5200, tone: 0.05, toneFade: 0.2, noise: 0.2, noiseFade: 0.13, isThin: true}),
  tom: drum({from: 190, to: 110, fall: 0.06, tone: 0.8, toneFade: 0.14, noise: 0.06, noiseFade: 0.02}),
}
