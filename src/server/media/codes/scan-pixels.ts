import jsqr from 'jsqr'

type Point = {x: number; y: number}
/** Its corners as it says them: a turned code has its upper left elsewhere. */
export type CodeCorners = {
  topLeftCorner: Point
  topRightCorner: Point
  bottomLeftCorner: Point
  bottomRightCorner: Point
}

/** The package is CommonJS: Node has the function, or an object with it as its default. */
type Scan = {
  (data: Uint8ClampedArray, width: number, height: number): {data: string; location: CodeCorners} | null
  default?: Scan
}
const scanner: Scan = jsqr

/** A code in RGBA pixels. It takes up to seconds where there is none. */
export const scanPixels: Scan = scanner.default ?? scanner
