import {seededRandom} from '../random.ts'
import {wrap} from '../image-file.ts'
import {css, mix} from './colour.ts'
import {clouds, contour, disc, lineAcross, linearGradient, n, sky, type Canvas} from './drawing.ts'
import {choosePalette, type Palette} from './palette.ts'

type Scene = {style: string; body: string}

/** Overlapping ridges that fade into the distance, with conifers on the near ones. */
function landscape(canvas: Canvas): Scene {
  const {width, height, palette, words} = canvas
  const random = canvas.random.fork('landscape')
  const isMountain = /mountain|alp|peak|rock|cliff|snow/.test(words) || random.chance(0.5)
  const hasTrees = palette.name === 'forest' || (palette.name !== 'desert' && random.chance(0.5))
  const horizon = random.between(0.44, 0.58)
  const radius = random.between(0.035, 0.075) * Math.min(width, height)
  const sun = disc(canvas, random.between(0.2, 0.8) * width, random.between(0.2, 0.42) * height, radius)
  const ridges = Array.from({length: 6}, (_, index) => {
    const share = index / 5
    const ridge = contour(random.fork(`ridge ${index}`), 2 + share * 1.6, isMountain ? 0.5 - share * 0.2 : 0.2)
    const base = (horizon + (0.97 - horizon) * share ** 1.15) * height
    const rise = (isMountain ? 0.17 * (1.1 - share * 0.7) : 0.09) * height
    const heightAt = (position: number) => base - ridge(position) * rise
    const colour = mix(palette.horizon, palette.near, 0.16 + 0.84 * share ** 0.85)
    const fill = linearGradient([
      [0, colour],
      [1, mix(colour, palette.horizon, 0.26 * (1 - share))],
    ])
    const trees = hasTrees && share > 0.55 ? forest(canvas, heightAt, share) : ''
    return `${fill.definition}<path d="M0 ${height}L${lineAcross(width, heightAt)}V${height}Z" fill="${fill.paint}"/><path d="${trees}" fill="${css(colour)}"/>`
  })
  return {style: 'landscape', body: [sky(canvas, horizon + 0.12), sun, clouds(canvas), ...ridges].join('')}
}

function forest({width, height, random: base}: Canvas, heightAt: (position: number) => number, share: number): string {
  const random = base.fork(`trees ${share}`)
  const size = (0.035 + 0.13 * (share - 0.5)) * height
  const trees: string[] = []
  for (let x = -size * 0.3; x < width + size; x += size * random.between(0.16, 0.62)) {
    const [tall, wide] = [size * random.between(0.6, 1.25), size * random.between(0.12, 0.2)]
    const foot = heightAt(x / width) + size * 0.08
    for (const [from, half] of [
      [0, 0.5],
      [0.26, 0.75],
      [0.5, 1],
    ] as const)
      // oxfmt-ignore
      trees.push(`M${n(x)} ${n(foot - tall * (1 - from))}l${n(wide * half)} ${n(tall * 0.46)}h${n(-2 * wide * half)}Z`)
  }
  return trees.join('')
}

/** Open water under a low sun with its reflection on the waves, and a boat. */
function water(canvas: Canvas): Scene {
  const {width, height, palette} = canvas
  const random = canvas.random.fork('water')
  const shore = random.between(0.46, 0.58) * height
  const sunX = random.between(0.28, 0.72) * width
  const radius = random.between(0.05, 0.085) * Math.min(width, height)
  const island = contour(random.fork('island'), 2.6, 0.4)
  const land = lineAcross(width, (position) => shore + (0.01 - Math.max(0, island(position)) * 0.1) * height)
  const sea = linearGradient([
    [0, mix(palette.horizon, palette.top, 0.35)],
    [0.3, mix(palette.top, palette.near, 0.35)],
    [1, palette.near],
  ])
  const dashes: string[] = []
  for (let y = shore + 2; y < height; y += 2 + (y - shore) * 0.035) {
    const share = (y - shore) / (height - shore)
    for (let index = 0; index < 5; index += 1) {
      const x = sunX + (random.next() + random.next() - 1) * width * (0.02 + 0.1 * share)
      const half = width * (0.006 + 0.03 * share) * random.between(0.4, 1)
      dashes.push(`M${n(x - half)} ${n(y)}h${n(half * 2)}`)
    }
  }
  const waves = Array.from({length: 9}, (_, index) => {
    const share = (index + 1) / 9
    const wave = contour(random.fork(`wave ${index}`), 9 - share * 5, 0.3)
    const top = shore + (height - shore) * share ** 1.7
    const line = lineAcross(width, (position) => top + wave(position) * height * (0.004 + 0.016 * share))
    return `<path d="M${line}V${n(top + height * 0.05)}H0Z" fill="${css(index % 2 === 0 ? palette.top : palette.near)}" fill-opacity="0.22"/>`
  })
  const body = [
    sky(canvas, shore / height),
    disc(canvas, sunX, shore - random.between(0.4, 2.6) * radius, radius),
    clouds(canvas),
    `<path d="M0 ${height}L${land}V${height}Z" fill="${css(mix(palette.horizon, palette.near, 0.5))}"/>`,
    `${sea.definition}<rect y="${n(shore)}" width="${width}" height="${n(height - shore)}" fill="${sea.paint}"/>`,
    `<path d="${dashes.join('')}" stroke="${css(palette.light)}" stroke-opacity="0.62" stroke-width="${n(height * 0.0026)}" stroke-linecap="round"/>`,
    ...waves,
    boat(canvas, shore),
  ]
  return {style: 'water', body: body.join('')}
}

function boat({width, height, palette, random: base}: Canvas, shore: number): string {
  const random = base.fork('boat')
  const size = random.between(0.05, 0.11) * Math.min(width, height)
  const [x, y] = [random.between(0.25, 0.75) * width, shore + random.between(0.1, 0.32) * (height - shore)]
  const shapes = [
    ['M-1 0Q0 0.62 1 0Z', palette.near],
    ['M0.06 -0.12V-1.7Q0.85 -0.9 0.8 -0.12Z', palette.light],
    ['M-0.06 -0.12V-1.35Q-0.5 -0.6 -0.62 -0.12Z', palette.accent],
  ] as const
  const paths = shapes.map(([path, colour]) => `<path d="${path}" fill="${css(colour)}"/>`)
  return `<g transform="translate(${n(x)} ${n(y)}) scale(${n(size)})">${paths.join('')}</g>`
}

/** Overlapping bands of colour. */
function curves(canvas: Canvas): Scene {
  const {width, height, palette} = canvas
  const random = canvas.random.fork('curves')
  const [first, second] = [contour(random.fork('first'), 1.6, 0.25), contour(random.fork('second'), 2.3, 0.2)]
  const bands = Array.from({length: 22}, (_, index) => {
    const share = index / 22
    const early = mix(palette.horizon, palette.accent, Math.min(1, share * 2))
    const colour = mix(early, palette.near, Math.max(0, share * 2 - 1))
    const line = lineAcross(width, (position) => {
      const flow = first(position) * (1 - share) + second(position) * share
      return (0.1 + 0.95 * share + flow * 0.16) * height
    })
    return `<path d="M${line}V${height}H0Z" fill="${css(colour)}"/><path d="M${line}" fill="none" stroke="${css(palette.light)}" stroke-opacity="0.28" stroke-width="${n(height * 0.0016)}"/>`
  })
  return {style: 'curves', body: sky(canvas, 0.9) + bands.join('')}
}

const isWater = /ocean|\bsea\b|beach|wave|boat|ship|harbou?r|whale|fish|lake|river|island|lighthouse|shanty/
const isAbstract = /abstract|gradient|silk|flow|ribbon|pattern|geometric|poster|logo|mandala|portrait|minimal/

export type Painting = {style: string; palette: Palette; svg: Buffer}

/** The scene of a prompt and a seed in a size. Deterministic. */
export function paint(prompt: string, seed: number, size: {width: number; height: number}): Painting {
  const random = seededRandom(prompt, seed)
  const words = prompt.toLowerCase()
  const palette = choosePalette(prompt, random.fork('palette'))
  const any = random.fork('style').pick([landscape, landscape, water, curves])
  const painter = isAbstract.test(words)
    ? curves
    : isWater.test(words)
      ? water
      : /hill|mountain|forest|desert|night/.test(words)
        ? landscape
        : any
  const {style, body} = painter({...size, palette, words, random: random.fork('scene')})
  return {style, palette, svg: wrap(size, body)}
}
