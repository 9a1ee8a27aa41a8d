import QRCode from 'qrcode'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {MediaRefusal} from './media-job.ts'
import {openPicture} from './picture-file.ts'

type Code = NonNullable<MediaPlan['code']>

/** The modules of a code; what lies outside is light. */
export type CodeGrid = {size: number; isDark: (column: number, row: number) => boolean}
/** A picture of a code as black and white: 0 is dark. */
type Bitmap = {side: number; isDark: (x: number, y: number) => boolean}

const markerSize = 7
const [fewestModules, mostModules] = [21, 177]

/** The modules that say a content. */
export function gridOfContent({content, correction}: Code): CodeGrid {
  if (content === '') throw new MediaRefusal('bad_request', 'A code needs a content.')
  const modules = modulesOf(content, correction)
  const isInside = (at: number) => at >= 0 && at < modules.size
  return {
    size: modules.size,
    isDark: (column, row) => isInside(column) && isInside(row) && modules.get(row, column) !== 0,
  }
}

function modulesOf(content: string, correction: Code['correction']) {
  try {
    return QRCode.create(content, {errorCorrectionLevel: correction}).modules
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    throw new MediaRefusal(
      'content_too_large',
      `This content does not fit into a code with correction ${correction} (${reason}).`,
    )
  }
}

/** What is darker than the middle of a person's picture is dark. */
export async function bitmapOf(source: Uint8Array, side: number): Promise<Bitmap> {
  const {picture} = await openPicture(source)
  const {data} = await picture()
    .greyscale()
    .normalise()
    .resize({width: side, height: side, fit: 'contain', background: '#fff', kernel: 'lanczos3'})
    .extractChannel(0)
    .threshold(128)
    .raw()
    .toBuffer({resolveWithObject: true})
  return {
    side,
    isDark: (x, y) =>
      x >= 0 && y >= 0 && x < side && y < side && (data[Math.floor(y) * side + Math.floor(x)] ?? 255) < 128,
  }
}

/** The modules of a code that stands upright in a picture of nothing else; undefined when it cannot be told for sure. */
export function gridInBitmap(bitmap: Bitmap): CodeGrid | undefined {
  const frame = frameOf(bitmap)
  if (frame === undefined) return undefined
  const {left, top, width, height} = frame
  // half a module below the edge in the largest code there is
  const y = top + height / mostModules / 2
  let end = left
  while (end < left + width && bitmap.isDark(end, y)) end += 1
  const nearest = Math.round(((width * markerSize) / (end - left) - fewestModules) / 4) * 4 + fewestModules
  return [nearest, nearest - 4, nearest + 4]
    .filter((size) => size >= fewestModules && size <= mostModules)
    .map((size): CodeGrid => {
      const isInside = (at: number) => at >= 0 && at < size
      return {
        size,
        isDark: (column, row) =>
          isInside(column) &&
          isInside(row) &&
          bitmap.isDark(left + ((column + 0.5) * width) / size, top + ((row + 0.5) * height) / size),
      }
    })
    .find(isCode)
}

/** What of the picture has anything dark in it. */
function frameOf({side, isDark}: Bitmap) {
  let [left, top, right, bottom] = [side, side, -1, -1]
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      if (!isDark(x, y)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  }
  const [width, height] = [right - left + 1, bottom - top + 1]
  const isSquare = width > 0 && Math.abs(width - height) <= width * 0.03
  return isSquare ? {left, top, width, height} : undefined
}

/** Its three marks and the lines between them are as they are in every code. */
function isCode({size, isDark}: CodeGrid): boolean {
  const far = size - markerSize
  const marks = [
    [0, 0],
    [far, 0],
    [0, far],
  ] as const
  for (const [left, top] of marks) {
    for (let cell = 0; cell < markerSize ** 2; cell += 1) {
      const [column, row] = [cell % markerSize, Math.floor(cell / markerSize)]
      const distance = Math.max(Math.abs(column - 3), Math.abs(row - 3))
      if (isDark(left + column, top + row) !== (distance !== 2)) return false
    }
  }
  for (let at = markerSize + 1; at < far - 1; at += 1) {
    if (isDark(at, 6) !== (at % 2 === 0) || isDark(6, at) !== (at % 2 === 0)) return false
  }
  return true
}
