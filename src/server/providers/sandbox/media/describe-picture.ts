import {distance, fromRgb, type Colour, type Rgb} from './art/colour.ts'
import type {MadeFile} from './media-job.ts'
import {openPicture} from './picture-file.ts'

const side = 24

const names: readonly (readonly [string, Colour])[] = [
  ['black', [0.12, 0, 0]],
  ['charcoal', [0.33, 0.01, 260]],
  ['grey', [0.6, 0.01, 260]],
  ['white', [0.97, 0, 0]],
  ['cream', [0.94, 0.04, 90]],
  ['brown', [0.42, 0.07, 55]],
  ['tan', [0.74, 0.07, 75]],
  ['red', [0.58, 0.21, 27]],
  ['dark red', [0.38, 0.14, 25]],
  ['orange', [0.73, 0.17, 55]],
  ['yellow', [0.88, 0.16, 98]],
  ['olive', [0.54, 0.1, 110]],
  ['green', [0.64, 0.17, 145]],
  ['dark green', [0.38, 0.09, 148]],
  ['teal', [0.58, 0.1, 190]],
  ['turquoise', [0.82, 0.11, 195]],
  ['sky blue', [0.8, 0.09, 235]],
  ['blue', [0.55, 0.19, 258]],
  ['navy', [0.28, 0.1, 265]],
  ['violet', [0.5, 0.2, 300]],
  ['lavender', [0.8, 0.08, 300]],
  ['pink', [0.8, 0.12, 355]],
  ['magenta', [0.6, 0.24, 340]],
]

type Facts = {
  width: number
  height: number
  colours: {name: string; share: number}[]
  brightness: number
  contrast: number
  colourfulness: number
  detail: number
  lightSide: string
}

/** Four descriptions of a picture, made of what can be measured: colours, light, contrast, shape. Nothing is recognised. */
export async function describePicture(bytes: Uint8Array, seed: number): Promise<MadeFile[]> {
  const facts = await factsOf(bytes)
  return sentencesOf(facts).map((text, index) => ({
    medium: 'text',
    file: new TextEncoder().encode(text),
    type: 'text/plain',
    name: `description-${index + 1}.txt`,
    seed,
    text,
  }))
}

async function factsOf(bytes: Uint8Array): Promise<Facts> {
  const {picture, size} = await openPicture(bytes)
  const {data} = await picture().resize(side, side, {fit: 'fill'}).raw().toBuffer({resolveWithObject: true})
  const colours: Colour[] = []
  for (let at = 0; at + 2 < data.length; at += 3) {
    const rgb: Rgb = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
    colours.push(fromRgb(rgb))
  }
  const brightness = mean(colours.map(([lightness]) => lightness))
  const counts = new Map<string, number>()
  for (const colour of colours) counts.set(nameOf(colour), (counts.get(nameOf(colour)) ?? 0) + 1)
  const {entropy} = await picture().stats()
  return {
    ...size,
    colours: [...counts]
      .map(([name, count]) => ({name, share: count / colours.length}))
      .sort((first, second) => second.share - first.share),
    brightness,
    contrast: Math.sqrt(mean(colours.map(([lightness]) => (lightness - brightness) ** 2))),
    colourfulness: mean(colours.map(([, chroma]) => chroma)),
    detail: entropy,
    lightSide: lightSideOf(colours),
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const nameOf = (colour: Colour): string =>
  names.reduce(
    (best, name) => (distance(name[1], colour) < distance(best[1], colour) ? name : best),
    names[0] ?? ['grey', colour],
  )[0]

/** Where it is lightest: one of the four sides, or nowhere in particular. */
function lightSideOf(colours: readonly Colour[]): string {
  const lightOf = (isIn: (column: number, row: number) => boolean) =>
    mean(colours.filter((_, index) => isIn(index % side, Math.floor(index / side))).map(([lightness]) => lightness))
  const half = side / 2
  const sides = [
    ['the upper half', lightOf((_, row) => row < half)],
    ['the lower half', lightOf((_, row) => row >= half)],
    ['the left side', lightOf((column) => column < half)],
    ['the right side', lightOf((column) => column >= half)],
  ] as const
  const lightest = sides.reduce((best, next) => (next[1] > best[1] ? next : best))
  const darkest = sides.reduce((best, next) => (next[1] < best[1] ? next : best))
  return lightest[1] - darkest[1] < 0.03 ? '' : lightest[0]
}

const shapeOf = ({width, height}: Facts) =>
  width > height * 1.05 ? 'landscape' : height > width * 1.05 ? 'portrait' : 'square'

/** The ratio in small whole numbers, the way tools take it. */
function ratioOf({width, height}: Facts): string {
  const known = [
    [1, 1],
    [4, 3],
    [3, 4],
    [16, 9],
    [9, 16],
    [3, 2],
    [2, 3],
  ] as const
  const nearest = known.reduce((best, next) =>
    Math.abs(next[0] / next[1] - width / height) < Math.abs(best[0] / best[1] - width / height) ? next : best,
  )
  return nearest.join(':')
}

const word = (value: number, steps: readonly (readonly [number, string])[], highest: string) =>
  steps.find(([limit]) => value < limit)?.[1] ?? highest

function sentencesOf(facts: Facts): string[] {
  const main = facts.colours.slice(0, 3).map(({name}) => name)
  const list = main.length > 1 ? `${main.slice(0, -1).join(', ')} and ${main.at(-1)}` : (main[0] ?? 'grey')
  const light = word(
    facts.brightness,
    [
      [0.3, 'very dark'],
      [0.48, 'dark'],
      [0.68, 'evenly lit'],
      [0.85, 'bright'],
    ],
    'very bright',
  )
  const contrast = word(
    facts.contrast,
    [
      [0.08, 'low contrast'],
      [0.18, 'gentle contrast'],
    ],
    'strong contrast',
  )
  const strength = word(
    facts.colourfulness,
    [
      [0.025, 'almost colourless'],
      [0.08, 'muted colours'],
    ],
    'vivid colours',
  )
  const detail = word(
    facts.detail,
    [
      [4, 'large calm areas'],
      [6.6, 'moderate detail'],
    ],
    'fine detail',
  )
  const where = facts.lightSide === '' ? 'light spread evenly' : `the light in ${facts.lightSide}`
  const [first] = facts.colours
  const percent = Math.round((first?.share ?? 0) * 100)
  const flag = `--ar ${ratioOf(facts)}`
  return [
    `${light.startsWith('e') ? 'An' : 'A'} ${light} ${shapeOf(facts)} picture in ${list}, ${strength}, ${contrast} ${flag}`,
    `Composition with ${detail}, ${where}, dominated by ${first?.name ?? 'grey'} (${percent} % of the area) ${flag}`,
    `Palette of ${list}; ${light}, ${contrast}; ${facts.width} × ${facts.height} pixels ${flag}`,
    `Measured by the sandbox, which recognises nothing: mean lightness ${Math.round(facts.brightness * 100)} %, ${strength}, ${detail} ${flag}`,
  ]
}
