import {toRgb, type Rgb} from '../art/colour.ts'
import type {Painting} from '../art/scenes.ts'
import {seededRandom} from '../random.ts'
import type {Size} from '../sizes.ts'

type Kind = {
  count: number
  fall: number
  drift: number
  sway: number
  least: number
  most: number
  opacity: number
  blinks: boolean
}

/** Speeds are in frame heights a second; sizes in thousandths of the shorter side. */
const kinds: Readonly<Record<string, Kind>> = {
  snow: {count: 90, fall: 0.09, drift: 0.015, sway: 0.012, least: 2, most: 6, opacity: 0.85, blinks: false},
  rain: {count: 70, fall: 0.42, drift: 0.03, sway: 0, least: 1.6, most: 2.6, opacity: 0.4, blinks: false},
  petals: {count: 42, fall: 0.06, drift: 0.05, sway: 0.03, least: 4, most: 9, opacity: 0.75, blinks: false},
  embers: {count: 60, fall: -0.11, drift: 0.02, sway: 0.02, least: 2, most: 5, opacity: 0.9, blinks: true},
  fireflies: {count: 34, fall: -0.012, drift: 0.012, sway: 0.03, least: 4, most: 8, opacity: 0.8, blinks: true},
  dust: {count: 30, fall: -0.015, drift: 0.02, sway: 0.012, least: 2, most: 6, opacity: 0.38, blinks: true},
}

const kindNames: Readonly<Record<string, keyof typeof kinds>> = {
  winter: 'snow',
  mist: 'rain',
  neon: 'rain',
  blossom: 'petals',
  autumn: 'petals',
  fire: 'embers',
  forest: 'fireflies',
  night: 'fireflies',
}

/** Draws what floats in the air of a scene at that moment, in seconds: snow, rain, petals, sparks. */
export function createParticles(
  painting: Pick<Painting, 'palette'>,
  size: Size,
  seed: number,
): (frame: Uint8Array, time: number) => void {
  const kind = kinds[kindNames[painting.palette.name] ?? 'dust']
  if (kind === undefined) throw new Error('no such particles')
  const random = seededRandom('particles', seed)
  const unit = Math.min(size.width, size.height) / 1000
  const isTinted = kind === kinds['petals'] || kind === kinds['embers']
  const colour = toRgb(isTinted ? painting.palette.accent : painting.palette.light)
  const particles = Array.from({length: kind.count}, () => ({
    x: random.next(),
    y: random.next(),
    speed: random.between(0.6, 1.4),
    phase: random.between(0, 2 * Math.PI),
    radius: random.between(kind.least, kind.most) * unit,
  }))
  return (frame, time) => {
    for (const {x, y, speed, phase, radius} of particles) {
      const across = wrapAround(
        x + (kind.drift * speed * time * size.height) / size.width + kind.sway * Math.sin(time * 1.3 + phase),
      )
      const down = wrapAround(y + kind.fall * speed * time)
      const shine = kind.blinks ? 0.5 + 0.5 * Math.sin(time * 2.2 * speed + phase) : 1
      dot(frame, size, across * size.width, down * size.height, Math.max(1, radius), colour, kind.opacity * shine)
    }
  }
}

/** 0–1, a little beyond both edges, so that nothing appears in sight. */
const wrapAround = (value: number) => ((((value + 0.05) % 1.1) + 1.1) % 1.1) - 0.05

/** A disc that is full in the middle and fades to its edge. */
function dot(
  frame: Uint8Array,
  {width, height}: Size,
  x: number,
  y: number,
  radius: number,
  [red, green, blue]: Rgb,
  opacity: number,
) {
  const reach = radius * 1.6
  for (let row = Math.max(0, Math.ceil(y - reach)); row < Math.min(height, y + reach); row += 1) {
    for (let column = Math.max(0, Math.ceil(x - reach)); column < Math.min(width, x + reach); column += 1) {
      const far = Math.hypot(column - x, row - y) / reach
      if (far >= 1) continue
      const share = opacity * (1 - far * far)
      const at = (row * width + column) * 4
      frame[at] = (frame[at] ?? 0) + (red - (frame[at] ?? 0)) * share
      frame[at + 1] = (frame[at + 1] ?? 0) + (green - (frame[at + 1] ?? 0)) * share
      frame[at + 2] = (frame[at + 2] ?? 0) + (blue - (frame[at + 2] ?? 0)) * share
    }
  }
}
