/** Lightness 0–1, chroma 0–0.37, hue in degrees: OKLCH, in which equal steps look equal. */
export type Colour = readonly [lightness: number, chroma: number, hue: number]

export type Rgb = readonly [red: number, green: number, blue: number]

const toLab = ([lightness, chroma, hue]: Colour): Colour => [
  lightness,
  chroma * Math.cos((hue * Math.PI) / 180),
  chroma * Math.sin((hue * Math.PI) / 180),
]

const fromLab = ([lightness, a, b]: Colour): Colour => [
  lightness,
  Math.hypot(a, b),
  ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
]

/** Linear light, possibly outside 0–1. Matrices of the OKLab definition. */
function toLinear(colour: Colour): Rgb {
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

const isShowable = (linear: Rgb) => linear.every((value) => value > -0.0005 && value < 1.0005)
const encode = (linear: number) => {
  const value = Math.min(1, Math.max(0, linear))
  return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055))
}
const decode = (byte: number) => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** Bytes of the nearest colour of the same lightness and hue that a screen can show. */
export function toRgb([lightness, chroma, hue]: Colour): Rgb {
  const level = Math.min(1, Math.max(0, lightness))
  let showable = chroma
  while (showable > 0.002 && !isShowable(toLinear([level, showable, hue]))) showable *= 0.94
  const [red, green, blue] = toLinear([level, showable, hue])
  return [encode(red), encode(green), encode(blue)]
}

export function fromRgb([red, green, blue]: Rgb): Colour {
  const [r, g, b] = [decode(red), decode(green), decode(blue)]
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return fromLab([
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ])
}

/** As SVG writes it. */
export const css = (colour: Colour): string =>
  `#${toRgb(colour)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}`

/** `share` 0 is the first, 1 the second; the way between goes through neither grey nor rainbow. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const [from, to] = [toLab(first), toLab(second)]
  return fromLab([
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ])
}

export const lighten = ([lightness, chroma, hue]: Colour, amount: number): Colour => [
  Math.min(1, Math.max(0, lightness + amount)),
  chroma,
  hue,
]

/** How different two colours look; 0.02 is just visible. */
export const distance = (first: Colour, second: Colour): number => {
  const [from, to] = [toLab(first), toLab(second)]
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2])
}
