import type {Random} from '../random.ts'
import {mix, type Colour} from './colour.ts'

/** The colours of one image, from far to near; `light` is that of the sun or the moon. */
export type Palette = {name: string; top: Colour; horizon: Colour; near: Colour; accent: Colour; light: Colour}

/** In percent, percent, degrees. */
function colours(text: string): Omit<Palette, 'name'> {
  const [top, horizon, near, accent, light] = text.split(', ').map((colour): Colour => {
    const [lightness = 0, chroma = 0, hue = 0] = colour.split(' ').map(Number)
    return [lightness / 100, chroma / 100, hue]
  })
  if (!top || !horizon || !near || !accent || !light) throw new Error(`not five colours: ${text}`)
  return {top, horizon, near, accent, light}
}

/** Moods by the words that name them; the first match wins. */
const moods = [
  ['neon', /neon|cyber|synthwave|arcade|city|street/, '17 8 290, 47 21 335, 10 4 290, 82 14 195, 90 10 340'],
  ['night', /night|moon|midnight|\bstar|space|galax|planet|aurora/, '16 5 268, 42 10 250, 9 3 265, 84 13 165, 96 4 95'],
  ['sunset', /sunset|dusk|evening|fire|lava|ember/, '40 12 295, 83 14 58, 21 7 305, 72 19 32, 96 8 85'],
  ['dawn', /dawn|sunrise|morning|blossom|flower|rose|love/, '72 8 255, 93 6 45, 38 8 280, 80 12 15, 98 5 80'],
  ['winter', /snow|winter|\bice|frost|arctic|mist|fog|rain/, '70 6 248, 96 2 230, 45 6 248, 70 13 22, 99 2 90'],
  ['desert', /desert|dune|sand|canyon|autumn|lion/, '75 9 225, 93 7 75, 43 12 42, 66 17 40, 98 6 90'],
  [
    'ocean',
    /ocean|\bsea\b|beach|wave|boat|ship|lake|river|island|water/,
    '60 11 240, 93 4 195, 31 9 238, 79 15 60, 98 5 90',
  ],
  [
    'forest',
    /forest|tree|garden|meadow|leaf|green|fox|owl|bear|lemon/,
    '82 6 200, 94 6 120, 27 7 152, 78 16 105, 98 7 100',
  ],
] as const

/** Colours that a word names. */
const colourWords: readonly (readonly [RegExp, Colour])[] = [
  [/\b(red|crimson|scarlet|ruby)\b/, [0.58, 0.2, 26]],
  [/\b(orange|copper|rust)\b/, [0.72, 0.17, 55]],
  [/\b(yellow|gold|golden|amber)\b/, [0.86, 0.16, 95]],
  [/\b(green|emerald|lime|olive)\b/, [0.66, 0.16, 146]],
  [/\b(teal|turquoise|mint|cyan)\b/, [0.76, 0.12, 195]],
  [/\b(blue|azure|navy|indigo)\b/, [0.56, 0.17, 258]],
  [/\b(purple|violet|lilac)\b/, [0.55, 0.18, 305]],
  [/\b(pink|magenta)\b/, [0.76, 0.15, 355]],
  [/\b(brown|chocolate|bronze)\b/, [0.45, 0.08, 55]],
  [/\b(white|silver|pale)\b/, [0.95, 0.01, 90]],
  [/\b(black|dark)\b/, [0.2, 0.02, 280]],
]

/** Keeps lightness, so that far stays lighter than near in any colour. */
const tint = (colour: Colour, tone: Colour, share: number): Colour => {
  const [, chroma, hue] = mix(colour, tone, share)
  return [colour[0], chroma, hue]
}

/** A mood named in the prompt decides, else the first named colour, else the seed. */
export function choosePalette(prompt: string, random: Random): Palette {
  const words = prompt.toLowerCase()
  const namedMood = moods.find(([, pattern]) => pattern.test(words))
  const [name, , text] = namedMood ?? random.pick(moods)
  const own = colours(text)
  const [tone] = colourWords
    .map(([pattern, colour]) => ({position: words.search(pattern), colour}))
    .filter(({position}) => position >= 0)
    .sort((one, other) => one.position - other.position)
  if (tone === undefined) return {name, ...own}
  const share = namedMood === undefined ? 0.85 : 0.35
  return {
    name,
    top: tint(own.top, tone.colour, share),
    horizon: tint(own.horizon, tone.colour, share * 0.7),
    near: tint(own.near, tone.colour, share),
    accent: tone.colour,
    light: own.light,
  }
}
