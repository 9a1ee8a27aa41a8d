/** Lightness 0–1, chroma 0–0.37, hue in degrees: OKLCH, in which equal steps look equal. */
export type Colour = readonly [lightness: number, chroma: number, hue: number]

const toLab = ([lightness, chroma, hue]: Colour): Colour => [
  lightness,
  chroma * Math.cos((hue * Math.PI) / 180),
  chroma * Math.sin((hue * Math.PI) / 180),
]

/** Linear light, possibly outside 0–1. Matrices of the OKLab definition. */
function toLinear(colour: Colour): readonly number[] {
  const [lightness, a, b] = toLab(colour)
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

const hexOf = (linear: number): string => {
  const value = Math.min(1, Math.max(0, linear))
  const byte = Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055))
  return byte.toString(16).padStart(2, '0')
}

/** As SVG text; a colour outside the screen's gamut becomes paler, with the same lightness and hue. */
export function css([lightness, chroma, hue]: Colour): string {
  const level = Math.min(1, Math.max(0, lightness))
  let shownChroma = chroma
  while (
    shownChroma > 0.002 &&
    !toLinear([level, shownChroma, hue]).every((value) => value > -0.0005 && value < 1.0005)
  )
    shownChroma *= 0.94
  return `#${toLinear([level, shownChroma, hue]).map(hexOf).join('')}`
}

/** `share` 0 is the first, 1 the second; the path between avoids grey and foreign hues. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const [from, to] = [toLab(first), toLab(second)]
  const at = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share
  return [at(0), Math.hypot(at(1), at(2)), ((Math.atan2(at(2), at(1)) * 180) / Math.PI + 360) % 360]
}
