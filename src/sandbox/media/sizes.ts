export type Size = {width: number; height: number}

/** Largest ratio; images such as 1000 : 1 are not useful. */
const mostStretched = 4

/**
 * A size of about `pixels` pixels with exactly the ratio, in even numbers, as encoders need them. A ratio
 * of large numbers, such as 1366 : 768, is met within one pixel.
 */
function sizeOf([across, down]: readonly [number, number], pixels: number): Size {
  const isUsable = Number.isFinite(across / down) && across > 0 && down > 0
  const ratio = isUsable ? Math.min(mostStretched, Math.max(1 / mostStretched, across / down)) : 1
  const isExact =
    isUsable && ratio === across / down && Number.isInteger(across) && Number.isInteger(down) && across * down <= 1024
  const toEven = (value: number) => Math.max(2, Math.round(value / 2) * 2)
  if (!isExact) {
    const height = Math.sqrt(pixels / ratio)
    return {width: toEven(height * ratio), height: toEven(height)}
  }
  const divisor = greatestCommonDivisor(across, down)
  const unit = toEven(Math.sqrt(pixels / ((across * down) / divisor ** 2)))
  return {width: (across / divisor) * unit, height: (down / divisor) * unit}
}

export const greatestCommonDivisor = (first: number, second: number): number =>
  second === 0 ? first : greatestCommonDivisor(second, first % second)

type Wish = {aspectRatio: readonly [number, number]; lines?: number; pixels?: readonly [number, number]}

/** The requested pixels, else about a megapixel, as image models make. */
export const imageSize = ({aspectRatio, pixels: [width, height] = [0, 0]}: Wish): Size =>
  width > 0 && height > 0 ? {width, height} : sizeOf(aspectRatio, 1024 * 1024)

/** The class of 640 × 360, or the requested number of lines. */
export function videoSize({aspectRatio, lines}: Wish): Size {
  const usual = sizeOf(aspectRatio, 640 * 360)
  return lines === undefined ? usual : sizeOfLines(usual, Math.min(1080, lines))
}

/** 1080p at about this ratio: 1920 × 1080, or upright, or a square of 1080. */
export const fullHdSize = (size: Size): Size => sizeOfLines(size, 1080)

function sizeOfLines({width, height}: Size, lines: number): Size {
  const scale = lines / Math.min(width, height)
  const toEven = (value: number) => Math.round((value * scale) / 2) * 2
  return {width: toEven(width), height: toEven(height)}
}
