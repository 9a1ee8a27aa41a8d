import jsqr from 'jsqr'

type Point = {x: number; y: number}
/** Its corners as it says them: a turned code has its upper left elsewhere. */
export type CodeCorners = {
  topLeftCorner: Point
  topRightCorner: Point
  bottomLeftCorner: Point
  bottomRightCorner: Point
}

/** A code in RGBA pixels. It takes up to seconds where there is none. */
// as: the package is CommonJS and its types call the function its default; Node hands out one or the other
export const scanPixels = ((jsqr as unknown as {default?: typeof jsqr}).default ?? jsqr) as unknown as (
  data: Uint8ClampedArray,
  width: number,
  height: number,
) => {data: string; location: CodeCorners} | null
