import {clampChroma, formatHex, modeOklch, modeRgb, useMode as addMode} from 'culori/fn'
import type {Site} from '#contract/management.ts'

/** A site's brand colour: hue in degrees, chroma as in OKLCH. Lightness is the design's: texts stay readable. */
export type Accent = NonNullable<Site['accent']>

export const defaultAccent: Accent = {hue: 266, chroma: 0.215}

/** Lightness of a filled button, at rest and under the pointer (src/ui/tokens.css). */
const fills = [0.535, 0.485]
/** Least and most chroma of which the contrasts were measured, over all hues (design §13). */
const chromaBounds = {least: 0.03, most: 0.215}

addMode(modeRgb)
const toOklch = addMode(modeOklch)

const rounded = (value: number, decimals: number) => Number(value.toFixed(decimals))

/** The nearest accent within those bounds whose fills are inside sRGB: a screen would show another hue instead. */
export function clampAccent({hue, chroma}: Accent): Accent {
  const h = ((hue % 360) + 360) % 360
  const bestChroma = Math.min(chroma, chromaBounds.most)
  const inside = Math.min(...fills.map((l) => clampChroma({mode: 'oklch', l, c: bestChroma, h}, 'oklch', 'rgb').c))
  return {hue: rounded(h, 1), chroma: Math.max(chromaBounds.least, rounded(inside, 3))}
}

/** The accent of a colour written as `#rrggbb`; a grey has the least chroma. */
export function accentOf(hex: string): Accent {
  const {h = 0, c = 0} = toOklch(hex) ?? {}
  return clampAccent({hue: h, chroma: c})
}

/** The colour of a filled button, as `#rrggbb`. */
export const accentHex = ({hue, chroma}: Accent): string =>
  formatHex({mode: 'oklch', l: fills[0] ?? 0, c: chroma, h: hue})
