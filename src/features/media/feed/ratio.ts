import type {Card} from './card.ts'

/** Boxes are neither taller nor wider than this (width : height); what is, is shown whole within. */
const tallest = 3 / 4
const widest = 16 / 9

const positive = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0

function asked(request: Record<string, unknown>): number | undefined {
  const text = [request.aspect_ratio, request.size, request.ratio].find((value) => typeof value === 'string')
  const parts = typeof text === 'string' ? /^(\d+(?:\.\d+)?)\s*[:x]\s*(\d+(?:\.\d+)?)$/.exec(text) : null
  const [width, height] = [Number(parts?.[1]), Number(parts?.[2])]
  if (width > 0 && height > 0) return width / height
  if (request.orientation === 'portrait') return 9 / 16
  if (request.orientation === 'landscape') return 16 / 9
  return undefined
}

/**
 * Width over height of what a card holds: of the result, else as it was asked for, else as the medium usually is. It is
 * known before anything is loaded, so nothing moves when it arrives.
 */
export function contentRatio({reading, request}: Pick<Card, 'reading' | 'request'>, usual: number): number {
  const sized = reading.artifacts.find(({width, height}) => positive(width) && positive(height))
  // as: just found to be numbers over zero
  if (sized !== undefined) return (sized.width as number) / (sized.height as number)
  return asked(request) ?? usual
}

/** The box of a card: its content's ratio within bounds. */
export const boxRatio = (ratio: number): number => Math.min(widest, Math.max(tallest, ratio))
