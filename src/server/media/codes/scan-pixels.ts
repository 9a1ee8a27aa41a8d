import jsqr from 'jsqr'
import {defaultOf} from '#domain/common-js.ts'

type Point = {x: number; y: number}
/** Its corners as it says them: a turned code has its upper left elsewhere. */
export type CodeCorners = {
  topLeftCorner: Point
  topRightCorner: Point
  bottomLeftCorner: Point
  bottomRightCorner: Point
}

type Scan = (data: Uint8ClampedArray, width: number, height: number) => {data: string; location: CodeCorners} | null

/** A code in RGBA pixels. It takes up to seconds where there is none. */
export const scanPixels: Scan = defaultOf(jsqr)
