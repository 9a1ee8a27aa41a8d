import {seededRandom} from '../random.ts'
import {city} from './city.ts'
import type {Canvas, Layer, Scene} from './drawing.ts'
import {landscape} from './landscape.ts'
import {night} from './night.ts'
import {choosePalette, type Palette} from './palette.ts'
import {botanical, curves, geometric, mandala, orbits} from './patterns.ts'
import {water} from './water.ts'

type Painter = (canvas: Canvas) => Scene

/** What the words of a prompt ask for; the first that matches is painted. */
const painters: readonly (readonly [RegExp, Painter])[] = [
  [/city|street|tokyo|skyline|tower|building|downtown|traffic|tram|cyberpunk|neon|business|logo|office/, city],
  [/ocean|\bsea\b|beach|wave|surf|boat|ship|harbou?r|whale|fish|lake|river|island|tide|lighthouse|shanty/, water],
  [/mandala|kaleidoscope|symmetr|ornament|regal|lace|snowflake/, mandala],
  [/geometric|bauhaus|cubist|poster|pattern|mosaic|low poly|mural/, geometric],
  [/flower|floral|blossom|rose|garden|leaf|leaves|lemon|botanic|plant|meadow|wedding|grove|feather/, botanical],
  [/night|star|moon|galax|nebula|space|cosmos|celestial|aurora|planet|firefl/, night],
  [/abstract|gradient|liquid|silk|flow|ribbon|wave|smoke|melt|dream/, curves],
  [/orbit|atom|technolog|circle|sphere|portrait|face|logo|minimal/, orbits],
  [
    /mountain|forest|desert|dune|hill|valley|landscape|sunset|dawn|snow|autumn|fox|owl|bear|deer|castle|dragon/,
    landscape,
  ],
]
const anyPainter = [landscape, landscape, water, night, city, curves, orbits, geometric, botanical, mandala] as const

export type Painting = Scene & {palette: Palette}

/** The scene that belongs to a prompt and a seed, on a sheet of that size. The same values give the same scene. */
export function paint(prompt: string, seed: number, size: {width: number; height: number}): Painting {
  const random = seededRandom(prompt, seed)
  const words = prompt.toLowerCase()
  const palette = choosePalette(prompt, random.fork('palette'))
  const painter = painters.find(([pattern]) => pattern.test(words))?.[1] ?? random.fork('style').pick(anyPainter)
  return {...painter({...size, palette, words, random: random.fork('scene')}), palette}
}

export const svg = ({width, height}: {width: number; height: number}, layers: readonly Pick<Layer, 'body'>[]): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${layers.map(({body}) => `<g>${body}</g>`).join('')}</svg>`,
  )
