import type {Work} from '../media-job.ts'
import {seededRandom} from '../random.ts'
import {compose, type Instrument, type Note, type Tune} from './tune.ts'

/** Stereo sound, from -1 to 1. */
export type Stereo = {left: Float32Array; right: Float32Array; rate: number}

const turn = 2 * Math.PI
const loudest = 0.88
const fadeSeconds = 1.4

/** Plays a tune. `rate` is in samples per second. */
export function render(tune: Tune, rate: number, work: Work): Stereo {
  const [melody, accompaniment] = renderStems(tune, rate, work)
  for (const side of ['left', 'right'] as const) add(melody[side], accompaniment[side])
  return melody
}

/** Its melody and its accompaniment separately; mixed they are the song, sample by sample. */
export function renderStems(tune: Tune, rate: number, work: Work): [Stereo, Stereo] {
  const {melody, accompaniment, seconds} = compose(tune)
  const tracks: [Stereo, Stereo] = [play(melody, seconds, rate, work), play(accompaniment, seconds, rate, work)]
  work.report(80)
  finish(tracks)
  work.report(100)
  return tracks
}

function play(notes: readonly Note[], seconds: number, rate: number, work: Work): Stereo {
  const length = Math.ceil(seconds * rate)
  const song: Stereo = {left: new Float32Array(length), right: new Float32Array(length), rate}
  for (const [index, note] of notes.entries()) {
    if (index % 24 === 0) work.checkpoint()
    sound(song, note)
  }
  work.checkpoint()
  for (const [side, samples] of [song.left, song.right].entries())
    addEcho(samples, Math.round(rate * (0.27 + side * 0.08)))
  return song
}

type Timbre = {attack: number; release: number; wave: (phase: number, time: number, noise: () => number) => number}

/** The whole synthesizer: a wave by phase and time, with its attack and decay. */
const timbres: Readonly<Record<Instrument, Timbre>> = {
  bell: {
    attack: 0.005,
    release: 0.4,
    wave: (phase, time) => Math.sin(phase + 1.7 * Math.exp(-time * 4) * Math.sin(phase)) * Math.exp(-time * 1.3),
  },
  pad: {
    attack: 0.3,
    release: 0.6,
    wave: (phase) => Math.sin(phase) + 0.45 * Math.sin(2.006 * phase) + 0.2 * Math.sin(2.994 * phase),
  },
  bass: {attack: 0.01, release: 0.1, wave: (phase) => Math.sin(phase) + 0.35 * Math.sin(2 * phase)},
  kick: {
    attack: 0.001,
    release: 0.1,
    wave: (_, time) => Math.sin(turn * (46 * time + 4 * (1 - Math.exp(-time / 0.035)))) * Math.exp(-time / 0.12),
  },
  hat: {attack: 0.001, release: 0.02, wave: (_, time, noise) => noise() * Math.exp(-time / 0.03)},
}

function sound({left, right, rate}: Stereo, {instrument, at, seconds, pitch, loudness, pan}: Note) {
  const {attack, release, wave} = timbres[instrument]
  const random = seededRandom('noise', Math.round(at * 1000))
  const noise = () => random.between(-1, 1)
  const step = (turn * 440 * 2 ** ((pitch - 69) / 12)) / rate
  const [toLeft, toRight] = [loudness * Math.min(1, 1 - pan), loudness * Math.min(1, 1 + pan)]
  const start = Math.round(at * rate)
  const length = Math.min(left.length - start, Math.ceil((seconds + release) * rate))
  for (let index = 0; index < length; index += 1) {
    const time = index / rate
    const envelope = Math.min(1, time / attack) * Math.min(1, (seconds + release - time) / release)
    const value = wave(step * index, time, noise) * envelope
    left[start + index] = (left[start + index] ?? 0) + value * toLeft
    right[start + index] = (right[start + index] ?? 0) + value * toRight
  }
}

/** Adds reflections, each softer than the last. */
function addEcho(samples: Float32Array, delay: number) {
  for (let index = delay; index < samples.length; index += 1)
    samples[index] = (samples[index] ?? 0) + 0.22 * (samples[index - delay] ?? 0)
}

function add(to: Float32Array, more: Float32Array) {
  for (let index = 0; index < to.length; index += 1) to[index] = (to[index] ?? 0) + (more[index] ?? 0)
}

/** Normalizes both tracks by the loudness of their mix and fades out the end. */
function finish([one, other]: readonly [Stereo, Stereo]) {
  const length = one.left.length
  let peak = 1e-6
  for (const side of ['left', 'right'] as const)
    for (let index = 0; index < length; index += 1)
      peak = Math.max(peak, Math.abs((one[side][index] ?? 0) + (other[side][index] ?? 0)))
  const fade = fadeSeconds * one.rate
  for (const samples of [one.left, one.right, other.left, other.right])
    for (let index = 0; index < length; index += 1)
      samples[index] = ((samples[index] ?? 0) * loudest * Math.min(1, (length - 1 - index) / fade)) / peak
}
