import type {CodeLook} from '#contract/media/media-codes.ts'
import type {CodeGrid} from './code-grid.ts'
import type {Random} from './random.ts'

type Shape = CodeLook['markerShape']
/** How dark a point of the code is, from 0 to 1. Both axes count modules, from its upper left corner. */
export type Ink = (x: number, y: number) => number
/** A mark, with its ink counted from its middle. */
type Mark = {x: number; y: number; ink: Ink}

/**
 * What a shape leaves of the square of its mark. Readers look for marks across, down and along both diagonals, and take
 * this for dark, as dark is set against light; people see the shape. In a centre there is less light near by.
 */
const [frameShade, centreShade] = [0.88, 0.92]

/** From the middle of a large mark: to its edge, to the light ring within, to its centre. */
const [markEdge, markHole, markCentre] = [3.5, 2.5, 1.5]
const [smallEdge, smallHole, smallCentre] = [2.5, 1.5, 0.5]

/**
 * The code as its settings want it drawn: `pixelStyle` for what says the content, `markerShape` for the frames of the
 * three large marks, `subMarker` for their centres and for the small marks.
 */
export function inkOf(grid: CodeGrid, {pixelStyle, markerShape, subMarker}: CodeLook, random: Random): Ink {
  const far = grid.size - markEdge
  const large = [
    [markEdge, markEdge],
    [far, markEdge],
    [markEdge, far],
  ].map(([x = 0, y = 0], index): Mark => {
    const frame = ringOf(markerShape, markHole, markEdge, random.fork(`frame ${index}`))
    const centre = ringOf(subMarker, 0, markCentre, random.fork(`centre ${index}`))
    return {x, y, ink: (across, down) => Math.max(frame(across, down), centre(across, down))}
  })
  const small = smallMarks(grid.size).map(([x, y], index): Mark => {
    const frame = ringOf(subMarker, smallHole, smallEdge, random.fork(`small ${index}`))
    const centre = ringOf('square', 0, smallCentre, random)
    return {x, y, ink: (across, down) => Math.max(frame(across, down), centre(across, down))}
  })
  const markOf = new Map<number, Mark>()
  const enter = (marks: readonly Mark[], edge: number) => {
    for (const mark of marks)
      for (let row = mark.y - edge; row < mark.y + edge; row += 1)
        for (let column = mark.x - edge; column < mark.x + edge; column += 1) markOf.set(row * grid.size + column, mark)
  }
  enter(small, smallEdge)
  enter(large, markEdge)
  const pixel = pixels[pixelStyle]
  return (x, y) => {
    const [column, row] = [Math.floor(x), Math.floor(y)]
    const mark = markOf.get(row * grid.size + column)
    if (mark !== undefined && column >= 0 && column < grid.size) return mark.ink(x - mark.x, y - mark.y)
    const isDark =
      grid.isDark(column, row) && pixel(x - column - 0.5, y - row - 0.5, (dx, dy) => grid.isDark(column + dx, row + dy))
    return Number(isDark)
  }
}

/** The middles of the small marks (ISO/IEC 18004, annex E), without those that large ones would cover. */
function smallMarks(size: number): [number, number][] {
  const version = (size - 17) / 4
  if (version < 2) return []
  const count = Math.floor(version / 7) + 2
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const places = [6, ...Array.from({length: count - 1}, (_, index) => size - 7 - (count - 2 - index) * step)]
  const [first, last] = [6, size - 7]
  return places.flatMap((y) =>
    places
      .filter((x) => !((x === first && (y === first || y === last)) || (x === last && y === first)))
      .map((x): [number, number] => [x + 0.5, y + 0.5]),
  )
}

/** A frame from `hole` to `edge`, or with no hole a filled shape. */
function ringOf(shape: Shape, hole: number, edge: number, random: Random): Ink {
  const isWithin = (distance: number) => distance > hole && distance <= edge
  const cells = edge * 2
  const isKept = Array.from({length: cells ** 2}, () => random.chance(0.5))
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
        return least <= 0.5 || isKept[Math.floor(y + edge) * cells + Math.floor(x + edge)] === true
    }
  }
  return (x, y) =>
    isWithin(Math.max(Math.abs(x), Math.abs(y))) ? (isShape(x, y) ? 1 : hole === 0 ? centreShade : frameShade) : 0
}

/** Whether a point of a dark module is dark: from its middle, -0.5 to 0.5. */
type Pixel = (x: number, y: number, isDarkAt: (dx: number, dy: number) => boolean) => boolean

const barWidth = 0.4
/** A bar along the first axis whose ends are round where nothing goes on. */
const bar = (along: number, over: number, goesOn: boolean) => {
  const beyond = Math.abs(along) - (0.5 - barWidth)
  return beyond <= 0 || goesOn ? Math.abs(over) <= barWidth : Math.hypot(beyond, over) <= barWidth
}

const pixels: Record<CodeLook['pixelStyle'], Pixel> = {
  square: () => true,
  rounded: (x, y, isDarkAt) => {
    const [dx, dy] = [Math.sign(x), Math.sign(y)]
    return isDarkAt(dx, 0) || isDarkAt(0, dy) || Math.hypot(x, y) <= 0.5
  },
  dot: (x, y) => Math.hypot(x, y) <= 0.44,
  squircle: (x, y) => x ** 4 + y ** 4 <= 0.46 ** 4,
  row: (x, y, isDarkAt) => bar(x, y, isDarkAt(Math.sign(x), 0)),
  column: (x, y, isDarkAt) => bar(y, x, isDarkAt(0, Math.sign(y))),
}
