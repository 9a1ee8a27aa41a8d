import type {Random} from '../random.ts'
import {css, mix, type Colour} from './colour.ts'
import type {Palette} from './palette.ts'

/** What a scene is drawn on. Pixels; the origin is the top left. */
export type Canvas = {width: number; height: number; palette: Palette; random: Random; words: string}

/**
 * One sheet of a scene, from back to front. In a video it moves: `depth` 0 stands still like the sky, 1 moves most;
 * `motion` says how.
 */
export type Layer = {body: string; depth: number; motion?: 'pan' | 'bob' | 'twinkle'}

export type Scene = {style: string; layers: Layer[]}

export const n = (value: number): string => String(Math.round(value * 10) / 10)

/** A name for a definition, made of what it says: equal definitions share one, others never meet within a picture. */
function nameOf(definition: string): string {
  let hash = 2166136261
  for (let index = 0; index < definition.length; index += 1) {
    hash = Math.imul(hash ^ definition.charCodeAt(index), 16777619)
  }
  return `d${(hash >>> 0).toString(36)}${definition.length.toString(36)}`
}

export type Stop = readonly [offset: number, colour: Colour, opacity?: number]

const stopsOf = (stops: readonly Stop[]) =>
  stops
    .map(
      ([offset, colour, opacity = 1]) =>
        `<stop offset="${n(offset * 100)}%" stop-color="${css(colour)}" stop-opacity="${opacity}"/>`,
    )
    .join('')

/** A definition and the paint that refers to it. */
export function linearGradient(stops: readonly Stop[], {isAcross = false} = {}): {definition: string; paint: string} {
  const direction = isAcross ? 'x1="0" y1="0" x2="1" y2="0"' : 'x1="0" y1="0" x2="0" y2="1"'
  const id = nameOf(direction + stopsOf(stops))
  return {
    definition: `<linearGradient id="${id}" ${direction}>${stopsOf(stops)}</linearGradient>`,
    paint: `url(#${id})`,
  }
}

export function radialGradient(stops: readonly Stop[]): {definition: string; paint: string} {
  const id = nameOf(stopsOf(stops))
  return {definition: `<radialGradient id="${id}">${stopsOf(stops)}</radialGradient>`, paint: `url(#${id})`}
}

/** The whole sheet in a gradient from top to horizon. */
export function sky({width, height, palette}: Canvas, horizonAt = 0.75): Layer {
  const middle = mix(palette.top, palette.horizon, 0.55)
  const {definition, paint} = linearGradient([
    [0, palette.top],
    [horizonAt * 0.55, middle],
    [horizonAt, palette.horizon],
    [1, palette.horizon],
  ])
  return {body: `${definition}<rect width="${width}" height="${height}" fill="${paint}"/>`, depth: 0}
}

/** Sun or moon with its glow. */
export function disc(canvas: Canvas, x: number, y: number, radius: number): Layer {
  const {light, horizon} = canvas.palette
  const glow = radialGradient([
    [0, light, 0.75],
    [0.25, mix(light, horizon, 0.3), 0.35],
    [1, horizon, 0],
  ])
  return {
    body:
      `${glow.definition}<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius * 4.5)}" fill="${glow.paint}"/>` +
      `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${css(light)}"/>`,
    depth: 0.08,
  }
}

/** A soft one-dimensional noise from -1 to 1 over 0–1, in octaves; more `roughness`, more small teeth. */
export function contour(
  random: Random,
  {waves, roughness, isSharp = false}: {waves: number; roughness: number; isSharp?: boolean},
) {
  const octaves = Array.from({length: 5}, (_, index) => {
    const count = Math.ceil(waves * 2 ** index) + 2
    return {
      waves: waves * 2 ** index,
      size: roughness ** index,
      values: Array.from({length: count}, () => random.between(-1, 1)),
    }
  })
  const whole = octaves.reduce((sum, {size}) => sum + size, 0)
  return (place: number): number => {
    let sum = 0
    for (const {waves: count, size, values} of octaves) {
      const at = Math.min(0.9999, Math.max(0, place)) * count
      const index = Math.floor(at)
      const share = at - index
      const eased = isSharp ? share : share * share * (3 - 2 * share)
      const from = values[index] ?? 0
      sum += size * (from + ((values[index + 1] ?? 0) - from) * eased)
    }
    return (sum / whole) * 1.6
  }
}

/** The outline of a ridge from the left to the right edge, closed along the bottom. `heightAt` gives pixels from the top. */
export function ridgePath({width, height}: Canvas, heightAt: (place: number) => number, step = 6): string {
  const points: string[] = []
  for (let x = 0; x <= width + step; x += step) points.push(`${n(x)} ${n(heightAt(Math.min(1, x / width)))}`)
  return `M0 ${height}L${points.join('L')}L${width + step} ${height}Z`
}

/** Long soft clouds. */
export function clouds(canvas: Canvas, count: number): Layer {
  const {width, height, palette} = canvas
  const random = canvas.random.fork('clouds')
  const tone = mix(palette.light, palette.horizon, 0.35)
  const parts = Array.from({length: count}, () => {
    const x = random.between(0, width)
    const y = random.between(0.06, 0.46) * height
    const size = random.between(0.06, 0.16) * width
    return Array.from({length: random.integer(4, 7)}, (_, index) => {
      const shift = (index - 3) * size * 0.4
      const radius = size * random.between(0.35, 0.75)
      return `<ellipse cx="${n(x + shift)}" cy="${n(y + random.between(-0.1, 0.1) * size)}" rx="${n(radius)}" ry="${n(radius * random.between(0.16, 0.3))}"/>`
    }).join('')
  })
  const puff = radialGradient([
    [0, tone, 0.5],
    [0.55, tone, 0.3],
    [1, tone, 0],
  ])
  return {body: `${puff.definition}<g fill="${puff.paint}">${parts.join('')}</g>`, depth: 0.25}
}

/** A few birds far away. */
export function birds(canvas: Canvas, count: number): string {
  const {width, height, palette} = canvas
  const random = canvas.random.fork('birds')
  const [centreX, centreY] = [random.between(0.25, 0.75) * width, random.between(0.16, 0.36) * height]
  const paths = Array.from({length: count}, () => {
    const x = centreX + random.between(-0.13, 0.13) * width
    const y = centreY + random.between(-0.06, 0.06) * height
    const size = random.between(0.006, 0.013) * width
    return `M${n(x - size)} ${n(y - size * 0.35)}Q${n(x - size * 0.4)} ${n(y - size * 0.7)} ${n(x)} ${n(y)}Q${n(x + size * 0.4)} ${n(y - size * 0.7)} ${n(x + size)} ${n(y - size * 0.35)}`
  })
  return `<path d="${paths.join('')}" fill="none" stroke="${css(palette.near)}" stroke-width="${n(Math.max(1.2, width * 0.0016))}" stroke-linecap="round" stroke-opacity="0.8"/>`
}

/** A conifer that stands at the point. */
export function pine(x: number, y: number, size: number, random: Random): string {
  const half = size * random.between(0.2, 0.27)
  const tiers = [0, 0.26, 0.5].map((from, index) => {
    const wide = half * (0.5 + index * 0.25)
    const top = y - size + size * from
    return `M${n(x)} ${n(top)}L${n(x + wide)} ${n(top + size * 0.46)}L${n(x - wide)} ${n(top + size * 0.46)}Z`
  })
  return `${tiers.join('')}M${n(x - size * 0.025)} ${n(y - size * 0.1)}h${n(size * 0.05)}v${n(size * 0.14)}h${n(-size * 0.05)}Z`
}
