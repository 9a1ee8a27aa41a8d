import {css, lighten, mix, type Colour} from './colour.ts'
import {contour, linearGradient, n, radialGradient, type Canvas, type Layer, type Scene} from './drawing.ts'

const coloursOf = ({palette}: Canvas): readonly [Colour, ...Colour[]] => [
  palette.accent,
  palette.top,
  palette.near,
  palette.horizon,
  palette.light,
  mix(palette.accent, palette.near, 0.5),
]

/** Quarter circles, stripes and dots on a grid, as posters of the nineteen-twenties had them. */
export function geometric(canvas: Canvas): Scene {
  const {width, height, palette} = canvas
  const random = canvas.random.fork('geometric')
  const colours = coloursOf(canvas)
  const cell = Math.min(width, height) / random.integer(4, 6)
  const [back, front]: [string[], string[]] = [[], []]
  for (let y = 0; y < height; y += cell) {
    for (let x = 0; x < width; x += cell) {
      const [ground, figure] = [random.pick(colours), random.pick(colours)]
      back.push(
        `<rect x="${n(x)}" y="${n(y)}" width="${n(cell + 0.6)}" height="${n(cell + 0.6)}" fill="${css(ground)}"/>`,
      )
      const turned = `<g transform="translate(${n(x + cell / 2)} ${n(y + cell / 2)}) rotate(${random.integer(0, 3) * 90}) scale(${n(cell / 10)})" fill="${css(figure === ground ? palette.light : figure)}">`
      front.push(`${turned}${random.pick(figures)}</g>`)
    }
  }
  return {
    style: 'geometric',
    layers: [
      {body: `<rect width="${width}" height="${height}" fill="${css(palette.horizon)}"/>${back.join('')}`, depth: 0.15},
      {body: front.join(''), depth: 0.55},
    ],
  }
}

/** In a square from -5 to 5. */
const figures: readonly [string, ...string[]] = [
  '<path d="M-5-5A10 10 0 0 1 5 5H-5Z"/>',
  '<path d="M-5-5A10 10 0 0 1 5 5H1A6 6 0 0 0-5-1Z"/>',
  '<circle r="3.4"/>',
  '<path d="M-5-5H5A5 5 0 0 1-5-5Z M-5 0H5A5 5 0 0 1-5 0Z"/>',
  '<path d="M-5-5L5 5H-5Z"/>',
  '<path d="M-5-4.4H5V-2.2H-5Z M-5-.9H5V1.3H-5Z M-5 2.6H5V4.8H-5Z"/>',
  '<path d="M0-5A5 5 0 0 1 0 5A5 5 0 0 1 0-5ZM0-2.4A2.4 2.4 0 0 0 0 2.4A2.4 2.4 0 0 0 0-2.4Z"/>',
  '<path d="M0-5Q1 -1 5 0Q1 1 0 5Q-1 1-5 0Q-1-1 0-5Z"/>',
]

/** Ribbons that flow across the sheet. */
export function curves(canvas: Canvas): Scene {
  const {width, height, palette} = canvas
  const random = canvas.random.fork('curves')
  const ground = linearGradient([
    [0, palette.top],
    [1, palette.horizon],
  ])
  const layers: Layer[] = [
    {body: `${ground.definition}<rect width="${width}" height="${height}" fill="${ground.paint}"/>`, depth: 0},
  ]
  const wave = contour(random.fork('wave'), {waves: 1.6, roughness: 0.24})
  const second = contour(random.fork('second'), {waves: 2.3, roughness: 0.2})
  const count = 22
  const sheets = 5
  for (let sheet = 0; sheet < sheets; sheet += 1) {
    let body = ''
    for (let index = sheet; index < count; index += sheets) {
      // drawn from the top down, each over the one before
      const place = sheet * Math.ceil(count / sheets) + (index - sheet) / sheets
      const share = place / count
      const line = Array.from({length: 70}, (_, step) => {
        const across = step / 69
        const y = (0.1 + 0.95 * share) * height + (wave(across) * (1 - share) + second(across) * share) * height * 0.16
        return `${n(across * width)} ${n(y)}`
      }).join('L')
      const tone = mix(
        mix(palette.horizon, palette.accent, Math.min(1, share * 2)),
        palette.near,
        Math.max(0, share * 2 - 1),
      )
      const colour = index % 2 === 0 ? tone : lighten(tone, 0.035)
      body += `<path d="M${line}V${height}H0Z" fill="${css(colour)}"/><path d="M${line}" fill="none" stroke="${css(palette.light)}" stroke-opacity="0.28" stroke-width="${n(height * 0.0016)}"/>`
    }
    layers.push({body, depth: 0.2 + 0.2 * sheet})
  }
  return {style: 'curves', layers}
}

/** Soft light in several colours with rings and small planets. */
export function orbits(canvas: Canvas): Scene {
  const {width, height, palette} = canvas
  const random = canvas.random.fork('orbits')
  const size = Math.max(width, height)
  const blobs = Array.from({length: 7}, () => {
    const glow = radialGradient([
      [0, random.pick(coloursOf(canvas)), 0.85],
      [1, palette.top, 0],
    ])
    return `${glow.definition}<circle cx="${n(random.between(0, width))}" cy="${n(random.between(0, height))}" r="${n(size * random.between(0.25, 0.5))}" fill="${glow.paint}"/>`
  })
  const [x, y] = [width * random.between(0.36, 0.64), height * random.between(0.36, 0.64)]
  const unit = Math.min(width, height)
  const rings = Array.from({length: 9}, (_, index) => {
    const radius = unit * (0.1 + 0.055 * index)
    return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="none" stroke="${css(palette.light)}" stroke-opacity="${n(0.75 - index * 0.07)}" stroke-width="${n(unit * 0.0016)}"/>`
  })
  const bodies = Array.from({length: 9}, (_, index) => {
    const [turn, radius] = [random.between(0, 2 * Math.PI), unit * (0.1 + 0.055 * index)]
    return `<circle cx="${n(x + Math.cos(turn) * radius)}" cy="${n(y + Math.sin(turn) * radius)}" r="${n(unit * random.between(0.006, 0.024))}" fill="${css(index % 2 === 0 ? palette.accent : palette.light)}"/>`
  })
  return {
    style: 'orbits',
    layers: [
      {body: `<rect width="${width}" height="${height}" fill="${css(palette.top)}"/>${blobs.join('')}`, depth: 0.1},
      {body: rings.join(''), depth: 0.35},
      {
        body: `<circle cx="${n(x)}" cy="${n(y)}" r="${n(unit * 0.07)}" fill="${css(palette.light)}"/>`,
        depth: 0.35,
        motion: 'twinkle',
      },
      {body: bodies.join(''), depth: 0.8},
    ],
  }
}

/** Petals around a centre, ring after ring. */
export function mandala(canvas: Canvas): Scene {
  const {width, height, palette} = canvas
  const random = canvas.random.fork('mandala')
  const unit = Math.min(width, height) / 2
  const glow = radialGradient([
    [0, palette.horizon],
    [0.7, palette.top],
    [1, palette.near],
  ])
  const folds = random.pick([8, 10, 12, 16])
  const colours = coloursOf(canvas)
  const rings = Array.from({length: 7}, (_, index) => {
    const outer = unit * (0.96 - index * 0.125)
    const length = unit * random.between(0.2, 0.34)
    const wide = ((outer * Math.PI) / folds) * random.between(0.6, 1.05)
    const colour = random.pick(colours)
    const petal = `M0 ${n(-outer)}C${n(wide)} ${n(-outer + length * 0.35)} ${n(wide * 0.7)} ${n(-outer + length * 0.8)} 0 ${n(-outer + length)}C${n(-wide * 0.7)} ${n(-outer + length * 0.8)} ${n(-wide)} ${n(-outer + length * 0.35)} 0 ${n(-outer)}Z`
    const petals = Array.from(
      {length: folds},
      (__, fold) => `<path d="${petal}" transform="rotate(${n(((fold + (index % 2) / 2) * 360) / folds)})"/>`,
    )
    const dots = Array.from({length: folds}, (__, fold) => {
      const turn = ((fold + 0.5 + (index % 2) / 2) * 2 * Math.PI) / folds
      return `<circle cx="${n(Math.sin(turn) * outer * 0.94)}" cy="${n(-Math.cos(turn) * outer * 0.94)}" r="${n(unit * 0.013)}" fill="${css(palette.light)}"/>`
    })
    return `<g fill="${css(colour)}" fill-opacity="0.88" stroke="${css(palette.light)}" stroke-opacity="0.5" stroke-width="${n(unit * 0.004)}">${petals.join('')}</g>${dots.join('')}`
  })
  const centre = (body: string) => `<g transform="translate(${n(width / 2)} ${n(height / 2)})">${body}</g>`
  return {
    style: 'mandala',
    layers: [
      {body: `${glow.definition}<rect width="${width}" height="${height}" fill="${glow.paint}"/>`, depth: 0},
      {body: centre(rings.slice(0, 3).join('')), depth: 0.15},
      {body: centre(rings.slice(3, 5).join('')), depth: 0.4},
      {
        body: centre(`${rings.slice(5).join('')}<circle r="${n(unit * 0.07)}" fill="${css(palette.light)}"/>`),
        depth: 0.7,
      },
    ],
  }
}

/** Stems, leaves and flowers, the far ones out of focus. */
export function botanical(canvas: Canvas): Scene {
  const {width, height, palette} = canvas
  const ground = linearGradient([
    [0, lighten(palette.horizon, 0.02)],
    [1, mix(palette.horizon, palette.top, 0.6)],
  ])
  const layers: Layer[] = [
    {body: `${ground.definition}<rect width="${width}" height="${height}" fill="${ground.paint}"/>`, depth: 0},
  ]
  for (const [index, share] of [0.3, 0.65, 1].entries()) {
    const random = canvas.random.fork(`plants ${index}`)
    const count = Math.round((3 + 3 * share) * Math.max(1, width / height))
    const plants = Array.from({length: count}, (_, plant) =>
      stem(canvas, random.fork(`${plant}`), ((plant + random.between(0.1, 0.9)) / count) * width, share),
    )
    // the far ones pale, as if there were air between
    layers.push({body: `<g opacity="${n(0.35 + 0.65 * share)}">${plants.join('')}</g>`, depth: 0.25 + 0.7 * share})
  }
  return {style: 'botanical', layers}
}

function stem({height, palette}: Canvas, random: Canvas['random'], x: number, share: number): string {
  const tall = height * random.between(0.34, 0.72) * (0.65 + 0.45 * share)
  const bend = height * random.between(-0.12, 0.12)
  const [tipX, tipY] = [x + bend, height - tall]
  const green = mix(mix(palette.horizon, palette.near, 0.3 + 0.7 * share), [0.5, 0.1, 145], 0.35)
  const leaves = Array.from({length: 5}, (_, index) => {
    const along = 0.2 + index * 0.15
    const [leafX, leafY] = [x + bend * along ** 2, height - tall * along]
    const size = height * 0.1 * share * random.between(0.6, 1.2)
    const side = index % 2 === 0 ? 1 : -1
    return `<path d="M${n(leafX)} ${n(leafY)}q${n(side * size * 0.5)} ${n(-size * 0.65)} ${n(side * size)} ${n(-size * 0.5)}q${n(-side * size * 0.25)} ${n(size * 0.55)} ${n(-side * size)} ${n(size * 0.5)}Z" fill="${css(lighten(green, random.between(-0.04, 0.06)))}"/>`
  })
  const line = `<path d="M${n(x)} ${height}Q${n(x)} ${n(height - tall * 0.55)} ${n(tipX)} ${n(tipY)}" fill="none" stroke="${css(green)}" stroke-width="${n(height * 0.006 * share + 1)}"/>`
  const size = height * random.between(0.035, 0.075) * (0.6 + 0.6 * share)
  const petals = random.integer(5, 9)
  const colour = mix(palette.accent, random.pick([palette.light, palette.top, palette.accent]), random.between(0, 0.4))
  const flower = Array.from(
    {length: petals},
    (_, petal) =>
      `<ellipse cx="0" cy="${n(-size * 0.62)}" rx="${n(size * 0.36)}" ry="${n(size * 0.62)}" transform="rotate(${n((petal * 360) / petals)})" fill="${css(lighten(colour, petal % 2 === 0 ? 0 : 0.04))}"/>`,
  )
  return `${line}${leaves.join('')}<g transform="translate(${n(tipX)} ${n(tipY)}) rotate(${n(random.between(0, 60))})">${flower.join('')}<circle r="${n(size * 0.3)}" fill="${css(mix(palette.near, [0.8, 0.14, 85], 0.6))}"/></g>`
}
