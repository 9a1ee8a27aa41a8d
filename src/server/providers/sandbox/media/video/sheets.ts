import sharp from 'sharp'
import {svg, type Painting} from '../art/scenes.ts'
import type {Layer} from '../art/drawing.ts'
import type {Size} from '../sizes.ts'

/** Pixels with colours multiplied by their opacity, four bytes each. */
export type Sheet = Size & {
  pixels: Uint8Array
  /** The rows that hold anything. */
  top: number
  bottom: number
}

/** One layer of a scene as pixels, and how it moves. */
export type MovingSheet = Sheet & Pick<Layer, 'depth' | 'motion'>

/** A sheet is larger than the frame by this share, so that it can move without showing its edge. */
export const overhang = 1.16

export async function sheetOf(svgText: Buffer): Promise<Sheet> {
  const {data, info} = await sharp(svgText).ensureAlpha().raw().toBuffer({resolveWithObject: true})
  const {width, height} = info
  const pixels = new Uint8Array(data)
  let [top, bottom] = [height, 0]
  for (let y = 0; y < height; y += 1) {
    let isEmpty = true
    for (let at = y * width * 4; at < (y + 1) * width * 4; at += 4) {
      const opacity = pixels[at + 3] ?? 0
      if (opacity === 0) continue
      isEmpty = false
      if (opacity === 255) continue
      for (let channel = 0; channel < 3; channel += 1) {
        pixels[at + channel] = ((pixels[at + channel] ?? 0) * opacity + 127) / 255
      }
    }
    if (isEmpty) continue
    top = Math.min(top, y)
    bottom = y + 1
  }
  return {width, height, pixels, top, bottom}
}

export async function sheetsOf(painting: Painting, size: Size): Promise<MovingSheet[]> {
  const sheets: MovingSheet[] = []
  for (const layer of painting.layers) {
    sheets.push({...(await sheetOf(svg(size, [layer]))), depth: layer.depth, motion: layer.motion})
  }
  return sheets
}

/**
 * Lays a sheet over the frame. `x` is how far its left edge stands beyond the frame's, with fractions, so that slow
 * movement does not jerk; `y` is whole; `opacity` is from 0 to 1.
 */
export function lay(frame: Uint8Array, {width, height}: Size, sheet: Sheet, x: number, y: number, opacity = 1): void {
  const left = Math.floor(x)
  const second = Math.round((x - left) * 256)
  const first = 256 - second
  const strength = Math.round(Math.min(1, Math.max(0, opacity)) * 256)
  if (strength === 0) return
  const {pixels} = sheet
  const lastRow = Math.min(height, sheet.bottom - y)
  for (let row = Math.max(0, sheet.top - y); row < lastRow; row += 1) {
    let from = ((row + y) * sheet.width + left) * 4
    let to = row * width * 4
    for (let column = 0; column < width; column += 1, from += 4, to += 4) {
      const cover =
        ((((pixels[from + 3] as number) * first + (pixels[from + 7] as number) * second) >> 8) * strength) >> 8
      if (cover === 0) continue
      if (cover === 255 && second === 0) {
        frame[to] = pixels[from] as number
        frame[to + 1] = pixels[from + 1] as number
        frame[to + 2] = pixels[from + 2] as number
        continue
      }
      const rest = 255 - cover
      for (let channel = 0; channel < 3; channel += 1) {
        const colour =
          ((((pixels[from + channel] as number) * first + (pixels[from + channel + 4] as number) * second) >> 8) *
            strength) >>
          8
        frame[to + channel] = colour + ((((frame[to + channel] as number) * rest + 127) * 257) >> 16)
      }
    }
  }
}
