import {css, lighten, mix} from './colour.ts'
import {
  contour,
  linearGradient,
  n,
  pine,
  radialGradient,
  ridgePath,
  sky,
  type Canvas,
  type Layer,
  type Scene,
} from './drawing.ts'

/** Stars over a dark ridge, with a milky band, northern lights or a planet. */
export function night(canvas: Canvas): Scene {
  const {height, palette, words} = canvas
  const random = canvas.random.fork('night')
  const hasAurora = /aurora|northern light|arctic/.test(words) || random.chance(0.4)
  const hasPlanet = palette.name === 'space' && random.chance(0.8)
  const layers: Layer[] = [sky(canvas, 0.95), {body: band(canvas), depth: 0.05}]
  layers.push(
    {body: stars(canvas, 420, 'far'), depth: 0.06},
    {body: stars(canvas, 90, 'near'), depth: 0.12, motion: 'twinkle'},
  )
  if (hasAurora) layers.push({body: aurora(canvas), depth: 0.2, motion: 'twinkle'})
  if (hasPlanet) layers.push({body: planet(canvas), depth: 0.35})
  else layers.push({body: moon(canvas), depth: 0.1})
  for (const [index, share] of [0.35, 0.7, 1].entries()) {
    const ridge = contour(random.fork(`ridge ${index}`), {waves: 2.4 + index, roughness: 0.42, isSharp: index < 2})
    const base = (0.72 + 0.11 * index) * height
    const heightAt = (place: number) => base - ridge(place) * height * (0.1 - 0.025 * index)
    const colour = mix(palette.horizon, palette.near, 0.45 + 0.55 * share)
    layers.push({
      body: `<path d="${ridgePath(canvas, heightAt)}${index === 2 ? pines(canvas, heightAt) : ''}" fill="${css(colour)}"/>`,
      depth: 0.3 + 0.7 * share,
    })
  }
  return {style: hasPlanet ? 'cosmos' : hasAurora ? 'aurora' : 'night', layers}
}

function stars({width, height, palette, random: base}: Canvas, count: number, name: 'far' | 'near'): string {
  const random = base.fork(`stars ${name}`)
  const unit = Math.min(width, height) / 1000
  const dots = Array.from({length: count}, () => {
    const size = (name === 'near' ? random.between(1.1, 2.7) : random.between(0.4, 1.1)) * unit
    return `<circle cx="${n(random.between(0, width))}" cy="${n(random.next() ** 1.2 * height * 0.88)}" r="${n(Math.max(0.4, size))}" opacity="${n(random.between(0.45, 1))}"/>`
  })
  return `<g fill="${css(lighten(palette.light, 0.02))}">${dots.join('')}</g>`
}

/** Light of stars too far to be told apart, along a diagonal. */
function band({width, height, palette, random: base}: Canvas): string {
  const random = base.fork('band')
  const angle = random.between(-40, 40)
  const tone = mix(palette.accent, palette.horizon, 0.45)
  const puffs = Array.from({length: 26}, () => {
    const along = random.between(-0.65, 0.65) * width
    const across = (random.next() + random.next() - 1) * height * 0.14
    return `<ellipse cx="${n(along)}" cy="${n(across)}" rx="${n(random.between(0.07, 0.24) * width)}" ry="${n(random.between(0.03, 0.1) * height)}" opacity="${n(random.between(0.15, 0.45))}"/>`
  })
  const puff = radialGradient([
    [0, tone, 1],
    [1, tone, 0],
  ])
  return `${puff.definition}<g transform="translate(${n(width / 2)} ${n(height * 0.4)}) rotate(${n(angle)})" fill="${puff.paint}">${puffs.join('')}</g>`
}

function aurora(canvas: Canvas): string {
  const {width, height, palette} = canvas
  const random = canvas.random.fork('aurora')
  const curtains = Array.from({length: 4}, (_, index) => {
    const wave = contour(random.fork(`curtain ${index}`), {waves: 2.2, roughness: 0.35})
    const foot = random.between(0.4, 0.62) * height
    const tall = random.between(0.2, 0.36) * height
    const edge = Array.from(
      {length: 60},
      (__, step) => [(step / 59) * width, foot + wave(step / 59) * height * 0.12] as const,
    )
    const lower = edge.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')
    const upper = edge
      .toReversed()
      .map(([x, y]) => `${n(x)} ${n(y - tall)}`)
      .join('L')
    const light = linearGradient([
      [0, palette.accent, 0],
      [0.7, mix(palette.accent, palette.horizon, index * 0.2), 0.34],
      [1, palette.accent, 0],
    ])
    return `${light.definition}<path d="M${lower}L${upper}Z" fill="${light.paint}"/>`
  })
  return curtains.join('')
}

function moon({width, height, palette, random: base}: Canvas): string {
  const random = base.fork('moon')
  const [x, y] = [random.between(0.15, 0.85) * width, random.between(0.14, 0.34) * height]
  const radius = random.between(0.035, 0.075) * Math.min(width, height)
  const glow = radialGradient([
    [0, palette.light, 0.5],
    [1, palette.light, 0],
  ])
  const spots = Array.from({length: 6}, () => {
    const [turn, far] = [random.between(0, 2 * Math.PI), radius * random.between(0.1, 0.62)]
    return `<circle cx="${n(x + Math.cos(turn) * far)}" cy="${n(y + Math.sin(turn) * far)}" r="${n(radius * random.between(0.08, 0.22))}"/>`
  })
  return `${glow.definition}<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius * 3.4)}" fill="${glow.paint}"/><circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${css(palette.light)}"/><g fill="${css(mix(palette.light, palette.top, 0.22))}" opacity="0.7">${spots.join('')}</g>`
}

function planet({width, height, palette, random: base}: Canvas): string {
  const random = base.fork('planet')
  const [x, y] = [random.between(0.25, 0.75) * width, random.between(0.25, 0.48) * height]
  const radius = random.between(0.12, 0.2) * Math.min(width, height)
  const body = linearGradient(
    [
      [0, lighten(palette.accent, 0.1)],
      [0.5, mix(palette.accent, palette.horizon, 0.4)],
      [1, palette.near],
    ],
    {isAcross: true},
  )
  const tilt = random.between(-28, 28)
  const ring = (sweep: 0 | 1) =>
    `<path d="M${n(-radius * 1.8)} 0A${n(radius * 1.8)} ${n(radius * 0.42)} 0 0 ${sweep} ${n(radius * 1.8)} 0" fill="none" stroke="${css(palette.light)}" stroke-opacity="0.65" stroke-width="${n(radius * 0.09)}"/>`
  return `${body.definition}<g transform="translate(${n(x)} ${n(y)}) rotate(${n(tilt)})">${ring(1)}<circle r="${n(radius)}" fill="${body.paint}"/>${ring(0)}</g>`
}

function pines({width, height, random: base}: Canvas, heightAt: (place: number) => number): string {
  const random = base.fork('pines')
  const size = height * 0.13
  const trees: string[] = []
  for (let x = 0; x < width + size; x += size * random.between(0.14, 0.75)) {
    trees.push(pine(x, heightAt(x / width) + size * 0.1, size * random.between(0.5, 1.3), random))
  }
  return trees.join('')
}
