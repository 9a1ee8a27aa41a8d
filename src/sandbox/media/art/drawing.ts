import type {Random} from '../random.ts'
import {css, mix, type Colour} from './colour.ts'
import type {Palette} from './palette.ts'

/** Size of a drawing in pixels; the origin is the top left. */
export type Canvas = {width: number; height: number; palette: Palette; random: Random; words: string}

export const n = (value: number): string => String(Math.round(value * 10) / 10)

type Stop = readonly [offset: number, colour: Colour, opacity?: number]

/** A definition and the paint that refers to it. Its id is made of its content: equal definitions share one. */
function gradient(kind: 'linearGradient' | 'radialGradient', direction: string, stops: readonly Stop[]) {
  const body = stops
    .map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${css(colour)}" stop-opacity="${opacity}"/>`)
    .join('')
  const id = `g${body.replace(/[^0-9a-f]/g, '')}`
  return {definition: `<${kind} id="${id}" ${direction}>${body}</${kind}>`, paint: `url(#${id})`}
}
export const linearGradient = (stops: readonly Stop[]) =>
  gradient('linearGradient', 'x1="0" y1="0" x2="0" y2="1"', stops)
const radialGradient = (stops: readonly Stop[]) => gradient('radialGradient', '', stops)

/** The whole canvas in a gradient from top to horizon, with stars at night. */
export function sky({width, height, palette, random: base}: Canvas, horizonAt: number): string {
  const {definition, paint} = linearGradient([
    [0, palette.top],
    [horizonAt * 0.55, mix(palette.top, palette.horizon, 0.55)],
    [horizonAt, palette.horizon],
    [1, palette.horizon],
  ])
  const random = base.fork('stars')
  const stars = Array.from({length: palette.name === 'night' ? 260 : 0}, () => {
    const [x, y] = [random.next() * width, random.next() ** 1.3 * height * 0.8]
    const radius = Math.max(0.5, (random.between(0.4, 2) * Math.min(width, height)) / 1000)
    return `<circle cx="${n(x)}" cy="${n(y)}" r="${radius.toFixed(2)}" opacity="${n(random.between(0.4, 1))}"/>`
  })
  return `${definition}<rect width="${width}" height="${height}" fill="${paint}"/><g fill="${css(palette.light)}">${stars.join('')}</g>`
}

/** Sun or moon with its glow. */
export function disc({palette: {light, horizon}}: Canvas, x: number, y: number, radius: number): string {
  const glow = radialGradient([
    [0, light, 0.75],
    [0.25, mix(light, horizon, 0.3), 0.35],
    [1, horizon, 0],
  ])
  return `${glow.definition}<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius * 4.5)}" fill="${glow.paint}"/><circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${css(light)}"/>`
}

/** Long soft clouds. */
export function clouds({width, height, palette, random: base}: Canvas): string {
  const random = base.fork('clouds')
  const tone = mix(palette.light, palette.horizon, 0.35)
  const puff = radialGradient([
    [0, tone, 0.5],
    [0.55, tone, 0.3],
    [1, tone, 0],
  ])
  const ellipses = Array.from({length: random.integer(2, 4)}, () => {
    const [x, y] = [random.between(0, width), random.between(0.06, 0.42) * height]
    const size = random.between(0.06, 0.16) * width
    return Array.from({length: 5}, (_, index) => {
      const radius = size * random.between(0.35, 0.75)
      return `<ellipse cx="${n(x + (index - 2) * size * 0.4)}" cy="${n(y + random.between(-0.1, 0.1) * size)}" rx="${n(radius)}" ry="${n(radius * random.between(0.16, 0.3))}"/>`
    }).join('')
  })
  return `${puff.definition}<g fill="${puff.paint}">${ellipses.join('')}</g>`
}

/** A soft line from about -1 to 1 over 0–1, a sum of waves; more `roughness` gives more small waves. */
export function contour(random: Random, waves: number, roughness: number) {
  const parts = [0, 1, 2, 3, 4].map((index) => ({
    size: roughness ** index,
    turns: waves * 2 ** index * random.between(0.7, 1.3) * Math.PI,
    from: random.between(0, 2 * Math.PI),
  }))
  const whole = parts.reduce((sum, {size}) => sum + size, 0)
  return (position: number): number =>
    parts.reduce((sum, {size, turns, from}) => sum + size * Math.sin(from + turns * position), 0) / whole
}

/** A line from the left to the right edge; `heightAt` maps 0–1 to pixels from the top. */
export function lineAcross(width: number, heightAt: (position: number) => number): string {
  const count = Math.ceil(width / 6)
  return Array.from({length: count + 1}, (_, at) => `${n((at / count) * width)} ${n(heightAt(at / count))}`).join('L')
}
