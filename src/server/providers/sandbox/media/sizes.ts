export type Size = {width: number; height: number}

/** Ratios beyond this are bounded: nobody looks at a picture of 1000 : 1. */
const mostStretched = 4

/**
 * The size of about `pixels` pixels that has exactly the ratio, in steps of `multiple` (encoders need even numbers). A
 * ratio of large numbers, such as 1366 : 768, is met within a pixel.
 */
function sizeOf([across, down]: readonly [number, number], pixels: number, multiple = 2): Size {
  const isUsable = Number.isFinite(across / down) && across > 0 && down > 0
  const ratio = isUsable ? Math.min(mostStretched, Math.max(1 / mostStretched, across / down)) : 1
  const isExact =
    isUsable && ratio === across / down && Number.isInteger(across) && Number.isInteger(down) && across * down <= 1024
  const toMultiple = (value: number) => Math.max(multiple, Math.round(value / multiple) * multiple)
  if (!isExact) {
    const height = Math.sqrt(pixels / ratio)
    return {width: toMultiple(height * ratio), height: toMultiple(height)}
  }
  const divisor = greatestCommonDivisor(across, down)
  const unit = toMultiple(Math.sqrt(pixels / ((across * down) / divisor ** 2)))
  return {width: (across / divisor) * unit, height: (down / divisor) * unit}
}

export const greatestCommonDivisor = (first: number, second: number): number =>
  second === 0 ? first : greatestCommonDivisor(second, first % second)

/** About a megapixel, as image models make. */
export const pictureSize = (ratio: readonly [number, number]) => sizeOf(ratio, 1024 * 1024)
/** The class of 640 × 360. */
export const videoSize = (ratio: readonly [number, number]) => sizeOf(ratio, 640 * 360)

/** The size of 1080p at about this ratio: 1920 × 1080, or upright, or a square of 1080. */
export function fullHdSize({width, height}: Size): Size {
  const scale = 1080 / Math.min(width, height)
  const toEven = (value: number) => Math.round((value * scale) / 2) * 2
  return {width: toEven(width), height: toEven(height)}
}
