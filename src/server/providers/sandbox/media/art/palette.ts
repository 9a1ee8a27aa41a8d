import type {Random} from '../random.ts'
import {mix, type Colour} from './colour.ts'

/** The colours of one picture, from far to near. */
export type Palette = {
  name: string
  top: Colour
  horizon: Colour
  near: Colour
  accent: Colour
  /** Sun, moon, lit windows. */
  light: Colour
}

type Scenery = Palette & {words: RegExp}

/** Moods that words name; the first that matches is taken, so the narrow ones come first. */
const sceneries: readonly [Scenery, ...Scenery[]] = [
  {
    name: 'neon',
    words: /neon|cyber|synthwave|vaporwave|arcade|hologram|luminous/,
    top: [0.17, 0.08, 290],
    horizon: [0.47, 0.21, 335],
    near: [0.1, 0.04, 290],
    accent: [0.82, 0.14, 195],
    light: [0.9, 0.1, 340],
  },
  {
    name: 'space',
    words: /space|galax|nebula|cosmos|cosmic|planet|celestial|universe|astronaut/,
    top: [0.11, 0.04, 285],
    horizon: [0.33, 0.13, 310],
    near: [0.07, 0.03, 280],
    accent: [0.78, 0.13, 210],
    light: [0.95, 0.04, 90],
  },
  {
    name: 'night',
    words: /night|moon|midnight|star(?:s|ry|light)?\b|aurora|firefl|lantern/,
    top: [0.16, 0.05, 268],
    horizon: [0.42, 0.1, 250],
    near: [0.09, 0.03, 265],
    accent: [0.84, 0.13, 165],
    light: [0.96, 0.04, 95],
  },
  {
    name: 'fire',
    words: /fire|lava|volcan|dragon|ember|flame|inferno|mars\b/,
    top: [0.2, 0.07, 20],
    horizon: [0.7, 0.2, 48],
    near: [0.13, 0.05, 25],
    accent: [0.86, 0.16, 88],
    light: [0.95, 0.1, 90],
  },
  {
    name: 'sunset',
    words: /sunset|dusk|evening|twilight|golden hour|sundown/,
    top: [0.4, 0.12, 295],
    horizon: [0.83, 0.14, 58],
    near: [0.21, 0.07, 305],
    accent: [0.72, 0.19, 32],
    light: [0.96, 0.08, 85],
  },
  {
    name: 'dawn',
    words: /dawn|sunrise|morning|pastel|dream|serene|soft/,
    top: [0.72, 0.08, 255],
    horizon: [0.93, 0.06, 45],
    near: [0.38, 0.08, 280],
    accent: [0.8, 0.12, 15],
    light: [0.98, 0.05, 80],
  },
  {
    name: 'winter',
    words: /snow|winter|ice|frost|arctic|polar|glacier|christmas|penguin/,
    top: [0.7, 0.06, 248],
    horizon: [0.96, 0.018, 230],
    near: [0.45, 0.06, 248],
    accent: [0.7, 0.13, 22],
    light: [0.99, 0.02, 90],
  },
  {
    name: 'autumn',
    words: /autumn|fall leaves|october|harvest|pumpkin|maple|whisky|coffee/,
    top: [0.78, 0.06, 225],
    horizon: [0.94, 0.07, 82],
    near: [0.33, 0.09, 38],
    accent: [0.68, 0.18, 45],
    light: [0.98, 0.06, 90],
  },
  {
    name: 'blossom',
    words: /blossom|cherry|spring|rose|flower|floral|wedding|love|tulip|peony|lavender/,
    top: [0.83, 0.07, 285],
    horizon: [0.95, 0.045, 350],
    near: [0.45, 0.11, 345],
    accent: [0.74, 0.16, 5],
    light: [0.98, 0.04, 70],
  },
  {
    name: 'desert',
    words: /desert|dune|sand|sahara|canyon|camel|cactus|savanna|giraffe|lion/,
    top: [0.75, 0.09, 225],
    horizon: [0.93, 0.07, 75],
    near: [0.43, 0.12, 42],
    accent: [0.66, 0.17, 40],
    light: [0.98, 0.06, 90],
  },
  {
    name: 'ocean',
    words: /ocean|\bsea|beach|wave|surf|boat|ship|harbou?r|whale|fish|lake|river|island|tide|coral|lighthouse|water/,
    top: [0.6, 0.11, 240],
    horizon: [0.93, 0.045, 195],
    near: [0.31, 0.09, 238],
    accent: [0.79, 0.15, 60],
    light: [0.98, 0.05, 90],
  },
  {
    name: 'forest',
    words: /forest|tree|wood|jungle|moss|fern|leaf|leaves|garden|meadow|grass|green|owl|fox|deer|bear|lemon|tea/,
    top: [0.82, 0.06, 200],
    horizon: [0.94, 0.06, 120],
    near: [0.27, 0.07, 152],
    accent: [0.78, 0.16, 105],
    light: [0.98, 0.07, 100],
  },
  {
    name: 'mist',
    words: /mist|fog|rain|cloud|grey|gray|smoke|ghost|silent|minimal|business|office/,
    top: [0.76, 0.02, 235],
    horizon: [0.95, 0.012, 210],
    near: [0.36, 0.03, 240],
    accent: [0.72, 0.12, 50],
    light: [0.98, 0.02, 90],
  },
]

/** Colours that a word names. */
const colourWords: readonly (readonly [RegExp, Colour])[] = [
  [/\b(red|crimson|scarlet|ruby)\b/, [0.58, 0.2, 26]],
  [/\b(orange|tangerine|copper|rust)\b/, [0.72, 0.17, 55]],
  [/\b(yellow|lemon)\b/, [0.88, 0.16, 100]],
  [/\b(gold|golden|amber|honey)\b/, [0.8, 0.14, 85]],
  [/\b(green|emerald|lime|olive)\b/, [0.66, 0.16, 146]],
  [/\b(teal|turquoise|mint|jade)\b/, [0.74, 0.11, 185]],
  [/\b(cyan|aqua)\b/, [0.8, 0.12, 205]],
  [/\b(blue|azure|navy|sapphire|indigo)\b/, [0.56, 0.17, 258]],
  [/\b(purple|violet|lilac|plum|amethyst)\b/, [0.55, 0.18, 305]],
  [/\b(pink|magenta|fuchsia|rosy)\b/, [0.76, 0.15, 355]],
  [/\b(brown|chocolate|bronze|wooden)\b/, [0.45, 0.08, 55]],
  [/\b(white|ivory|silver|pale)\b/, [0.95, 0.01, 90]],
  [/\b(black|dark|noir|gothic)\b/, [0.2, 0.02, 280]],
]

/** The colours that the words of a prompt name, in the order of the prompt. */
function namedColours(prompt: string): Colour[] {
  const words = prompt.toLowerCase()
  return colourWords
    .flatMap(([pattern, colour]) => {
      const place = words.search(pattern)
      return place < 0 ? [] : [{place, colour}]
    })
    .sort((first, second) => first.place - second.place)
    .map(({colour}) => colour)
}

const turn = ([lightness, chroma, hue]: Colour, degrees: number): Colour => [
  lightness,
  chroma,
  (hue + degrees + 360) % 360,
]

/** Keeps lightness, so that far stays lighter than near whatever the colour. */
const tint = (colour: Colour, tone: Colour, share: number): Colour => {
  const [, chroma, hue] = mix(colour, tone, share)
  return [colour[0], chroma, hue]
}

/** Scenes that the prompt names decide, then colours that it names; else the seed chooses. */
export function choosePalette(prompt: string, random: Random): Palette {
  const words = prompt.toLowerCase()
  const named = sceneries.find(({words: pattern}) => pattern.test(words))
  const {name, top, horizon, near, accent, light} = named ?? random.pick(sceneries)
  const wander = random.between(-9, 9)
  const base: Palette = {
    name,
    top: turn(top, wander),
    horizon: turn(horizon, wander),
    near: turn(near, wander),
    accent: turn(accent, -wander),
    light,
  }
  const [first, second] = namedColours(prompt)
  if (first === undefined) return base
  const tone = second ?? first
  const share = named === undefined ? 0.85 : 0.35
  return {
    name,
    top: tint(base.top, tone, share),
    horizon: tint(base.horizon, tone, share * 0.7),
    near: tint(base.near, tone, share),
    accent: first,
    light,
  }
}
