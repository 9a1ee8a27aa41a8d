import type {CodeLook} from '#contract/media/media-codes.ts'
import type {CodeGrid} from './code-grid.ts'
import type {Random} from './random.ts'

/** Darkness of a point of the code, 0 to 1. Both axes count modules from the upper left corner. */
export type Ink = (x: number, y: number) => number

/**
 * Darkness of the part of a mark's square that its shape leaves free. Readers check marks across, down and diagonally,
 * and must take it for dark; people see the shape. A centre has less light nearby.
 */
const [frameShade, centreShade] = [0.88, 0.92]
/** Distances from the middle of a mark: to its edge, to its light ring, to its centre. */
const [markEdge, markHole, markCentre] = [3.5, 2.5, 1.5]
const markSize = 7

/** The code as its settings draw it: modules, frames of the three marks, and their centres. */
export function inkOf(grid: CodeGrid, {pixelStyle, markerShape, subMarker}: CodeLook, random: Random): Ink {
  const far = grid.size - markSize
  const frame = ringOf(markerShape, markHole, markEdge, random.integer(1, 2 ** 30))
  const centre = ringOf(subMarker, 0, markCentre, random.integer(1, 2 ** 30))
  const pixel = pixels[pixelStyle]
  return (x, y) => {
    const [column, row] = [Math.floor(x), Math.floor(y)]
    const isInMark = (column < markSize || column >= far) && (row < markSize || (row >= far && column < markSize))
    if (isInMark && Math.min(column, row) >= 0 && Math.max(column, row) < grid.size) {
      const [across, down] = [x - markEdge - (column < markSize ? 0 : far), y - markEdge - (row < markSize ? 0 : far)]
      return Math.max(frame(across, down), centre(across, down))
    }
    if (!grid.isDark(column, row)) return 0
    const isShape = pixel(x - column - 0.5, y - row - 0.5, (dx, dy) => grid.isDark(column + dx, row + dy))
    return Number(grid.isFixed(column, row) || isShape)
  }
}

/** A frame from `hole` to `edge`; without a hole a filled shape. The bits choose the cells of a random one. */
function ringOf(shape: CodeLook['markerShape'], hole: number, edge: number, bits: number): Ink {
  const isWithin = (distance: number) => distance > hole && distance <= edge
  const isShape = (x: number, y: number): boolean => {
    const [across, down] = [Math.abs(x), Math.abs(y)]
    const least = Math.min(across, down)
    switch (shape) {
      case 'square':
        return true
      case 'circle':
        return isWithin(Math.hypot(x, y))
      case 'octagon':
        return isWithin(Math.max(across, down, (across + down) * Math.SQRT1_2))
      case 'plus':
        return least <= (edge - 0.5) / 2
      case 'tiny-plus':
        return least <= 0.5
      case 'box':
        return least <= (hole === 0 ? edge - 0.5 : edge - 1)
      case 'random':
        return least <= 0.5 || ((bits >> ((Math.floor(y + edge) * 5 + Math.floor(x + edge)) % 29)) & 1) === 1
    }
  }
  return (x, y) =>
    isWithin(Math.max(Math.abs(x), Math.abs(y))) ? (isShape(x, y) ? 1 : hole === 0 ? centreShade : frameShade) : 0
}

/** Whether a point of a dark module is dark; coordinates from its middle, -0.5 to 0.5. */
type Pixel = (x: number, y: number, isDarkAt: (dx: number, dy: number) => boolean) => boolean

const barWidth = 0.4
/** A bar along the first axis with round ends where it has no neighbour. */
const bar = (along: number, over: number, goesOn: boolean) => {
  const beyond = Math.abs(along) - (0.5 - barWidth)
  return beyond <= 0 || goesOn ? Math.abs(over) <= barWidth : Math.hypot(beyond, over) <= barWidth
}

const pixels: Record<CodeLook['pixelStyle'], Pixel> = {
  square: () => true,
  rounded: (x, y, isDarkAt) => isDarkAt(Math.sign(x), 0) || isDarkAt(0, Math.sign(y)) || Math.hypot(x, y) <= 0.5,
  dot: (x, y) => Math.hypot(x, y) <= 0.44,
  squircle: (x, y) => x ** 4 + y ** 4 <= 0.46 ** 4,
  row: (x, y, isDarkAt) => bar(x, y, isDarkAt(Math.sign(x), 0)),
  column: (x, y, isDarkAt) => bar(y, x, isDarkAt(0, Math.sign(y))),
}
