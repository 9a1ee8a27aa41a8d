import {css, mix} from './colour.ts'
import {
  birds,
  clouds,
  contour,
  disc,
  linearGradient,
  n,
  ridgePath,
  sky,
  type Canvas,
  type Layer,
  type Scene,
} from './drawing.ts'

/** Open water under a low sun: its path on the waves, islands, a boat. */
export function water(canvas: Canvas): Scene {
  const {width, height, palette, words} = canvas
  const random = canvas.random.fork('water')
  const shore = random.between(0.46, 0.58) * height
  const sunX = random.between(0.28, 0.72) * width
  const sunSize = random.between(0.05, 0.085) * Math.min(width, height)
  const hasBoat = /boat|ship|sail|harbou?r|fisher|paper/.test(words) || random.chance(0.6)

  const island = contour(random.fork('island'), {waves: 2.6, roughness: 0.4})
  const islandPath = ridgePath(
    {...canvas, height: shore + 1},
    (place) => shore + 0.01 * height - Math.max(0, island(place)) * 0.1 * height,
  )
  const sea = linearGradient([
    [0, mix(palette.horizon, palette.top, 0.35)],
    [0.3, mix(palette.top, palette.near, 0.35)],
    [1, palette.near],
  ])
  const layers: Layer[] = [
    sky(canvas, shore / height),
    disc(canvas, sunX, shore - random.between(0.4, 2.6) * sunSize, sunSize),
    clouds(canvas, random.integer(2, 5)),
    {body: `<path d="${islandPath}" fill="${css(mix(palette.horizon, palette.near, 0.5))}"/>`, depth: 0.25},
    {
      body: `${sea.definition}<rect y="${n(shore)}" width="${width}" height="${n(height - shore)}" fill="${sea.paint}"/>`,
      depth: 0,
    },
    {body: glints(canvas, shore, sunX), depth: 0.3, motion: 'twinkle'},
    {body: waves(canvas, shore), depth: 0.7},
  ]
  if (hasBoat) layers.push({body: boat(canvas, shore), depth: 0.55, motion: 'bob'})
  if (random.chance(0.6)) layers.push({body: birds(canvas, random.integer(3, 7)), depth: 0.5})
  return {style: 'water', layers}
}

/** The sun's broken path: dashes that widen towards the viewer. */
function glints({width, height, palette, random: base}: Canvas, shore: number, sunX: number): string {
  const random = base.fork('glints')
  const dashes: string[] = []
  for (let y = shore + 2; y < height; y += 2 + (y - shore) * 0.035) {
    const share = (y - shore) / (height - shore)
    const spread = width * (0.02 + 0.1 * share)
    for (let index = 0; index < 5; index += 1) {
      const x = sunX + (random.next() + random.next() - 1) * spread
      const half = width * (0.006 + 0.03 * share) * random.between(0.4, 1)
      dashes.push(`M${n(x - half)} ${n(y)}h${n(half * 2)}`)
    }
  }
  return `<path d="${dashes.join('')}" stroke="${css(palette.light)}" stroke-opacity="0.62" stroke-width="${n(height * 0.0026)}" stroke-linecap="round" fill="none"/>`
}

function waves({width, height, palette, random: base}: Canvas, shore: number): string {
  const random = base.fork('waves')
  return Array.from({length: 9}, (_, index) => {
    const share = (index + 1) / 9
    const y = shore + (height - shore) * share ** 1.7
    const wave = contour(random.fork(`wave ${index}`), {waves: 9 - share * 5, roughness: 0.3})
    const line = Array.from(
      {length: 90},
      (__, step) => `${n((step / 89) * width)} ${n(y + wave(step / 89) * height * (0.004 + 0.016 * share))}`,
    )
    return `<path d="M${line.join('L')}V${n(y + height * 0.05 * share)}H0Z" fill="${css(index % 2 === 0 ? palette.top : palette.near)}" fill-opacity="0.22"/>`
  }).join('')
}

function boat({width, height, palette, random: base}: Canvas, shore: number): string {
  const random = base.fork('boat')
  const size = random.between(0.05, 0.11) * Math.min(width, height)
  const x = random.between(0.25, 0.75) * width
  const y = shore + random.between(0.1, 0.32) * (height - shore)
  const hull = `M${n(x - size)} ${n(y)}Q${n(x)} ${n(y + size * 0.62)} ${n(x + size)} ${n(y)}Z`
  const sail = `M${n(x + size * 0.06)} ${n(y - size * 0.12)}V${n(y - size * 1.7)}Q${n(x + size * 0.85)} ${n(y - size * 0.9)} ${n(x + size * 0.8)} ${n(y - size * 0.12)}Z`
  const jib = `M${n(x - size * 0.06)} ${n(y - size * 0.12)}V${n(y - size * 1.35)}Q${n(x - size * 0.5)} ${n(y - size * 0.6)} ${n(x - size * 0.62)} ${n(y - size * 0.12)}Z`
  const shade = `<ellipse cx="${n(x)}" cy="${n(y + size * 0.36)}" rx="${n(size * 1.15)}" ry="${n(size * 0.14)}" fill="${css(palette.near)}" fill-opacity="0.45"/>`
  return `${shade}<path d="${hull}" fill="${css(palette.near)}"/><path d="${sail}" fill="${css(palette.light)}"/><path d="${jib}" fill="${css(palette.accent)}"/>`
}
