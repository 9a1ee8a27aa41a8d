import jsqr from 'jsqr'
import QRCode from 'qrcode'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {defaultOf} from '#domain/common-js.ts'
import {MediaRefusal} from './media-job.ts'
import {openImage} from './image-file.ts'

type Code = NonNullable<MediaPlan['code']>

/** The modules of a code; outside it is light. Readers expect the fixed ones, whatever the content. */
export type CodeGrid = {
  size: number
  isDark: (column: number, row: number) => boolean
  isFixed: (column: number, row: number) => boolean
}

/** The modules that encode a content. */
export function gridOf(content: string, correction: Code['correction']): CodeGrid {
  if (content === '') throw new MediaRefusal('bad_request', 'A code needs a content.')
  const modules = modulesOf(content, correction)
  const isInside = (column: number, row: number) => Math.min(column, row) >= 0 && Math.max(column, row) < modules.size
  return {
    size: modules.size,
    isDark: (column, row) => isInside(column, row) && modules.get(row, column) !== 0,
    isFixed: (column, row) => isInside(column, row) && modules.isReserved(row, column) !== 0,
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

const scan = defaultOf(jsqr)

/** Longer sides at which to look for a code, as the server does: with fine modules it is luck which one can be read. */
const scannedSides = [800, 400, 600, 1000, 1400, 700]

/** The decoded content of a code in a user's image. */
export async function contentIn(source: Uint8Array): Promise<string> {
  const {image} = await openImage(source, '#fff')
  for (const side of scannedSides) {
    const {data, info} = await image()
      .resize({width: side, height: side, fit: 'inside'})
      .ensureAlpha()
      .raw()
      .toBuffer({resolveWithObject: true})
    const code = scan(new Uint8ClampedArray(data), info.width, info.height)
    if (code !== null) return code.data
  }
  throw new MediaRefusal('bad_request', 'No QR code can be read in this image.')
}
