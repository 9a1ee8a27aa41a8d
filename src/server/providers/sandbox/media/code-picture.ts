import QRCode from 'qrcode'
import sharp from 'sharp'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {paint, svg} from './art/scenes.ts'
import {MediaRefusal, type MadeFile, type Work} from './media-job.ts'
import {openPicture, pictureFile} from './picture-file.ts'
import {seedAt} from './pictures.ts'
import {pictureSize, type Size} from './sizes.ts'

type Code = NonNullable<MediaPlan['code']>

/** Light modules around a code, which readers need to find it. */
const quietModules = 2
/** How far the code may fill the shorter side. */
const share = 0.84
const mostPictures = 4

/** Range of `strength` (contract/media §2.2: 1.5 to 3). */
const [weakest, strongest] = [1.5, 3]

/** Whether a point of the code, from 0 to 1 on both axes, is dark. */
type Mask = (x: number, y: number) => boolean

/** Pictures that are a scene at first sight and a code to a reader: each module keeps the scene's colours and gets the code's light. */
export async function makeCodePictures(
  plan: MediaPlan,
  code: Code,
  {seed, source, work}: {seed: number; source?: Uint8Array; work: Work},
): Promise<MadeFile[]> {
  const size = pictureSize(plan.aspectRatio)
  const {mask, side} =
    code.content === '' && source !== undefined ? await maskOfPicture(source, size) : maskOfContent(code, size)
  const count = Math.min(mostPictures, Math.max(1, Math.floor(plan.count)))
  const files: MadeFile[] = []
  for (let index = 0; index < count; index += 1) {
    work.checkpoint()
    const own = seedAt(seed, index)
    const painting = paint(plan.prompt, own, size)
    const {data, info} = await sharp(svg(size, painting.layers)).removeAlpha().raw().toBuffer({resolveWithObject: true})
    work.report(((index + 0.5) / count) * 100)
    imprint(data, size, {mask, side, strength: code.strength})
    const label = {seed: own, style: painting.style}
    const picture = sharp(data, {raw: {width: info.width, height: info.height, channels: info.channels}})
    files.push(await pictureFile(picture, size, {prompt: plan.prompt, label, format: 'png'}))
    work.report(((index + 1) / count) * 100)
  }
  return files
}

function maskOfContent({content, correction}: Code, size: Size): {mask: Mask; side: number} {
  if (content === '') throw new MediaRefusal('bad_request', 'A code needs a content.')
  const modules = modulesOf(content, correction)
  const count = modules.size + 2 * quietModules
  // whole pixels a module, as many as fit
  const side = Math.max(2, Math.floor((Math.min(size.width, size.height) * share) / count)) * count
  const mask: Mask = (x, y) => {
    const [column, row] = [Math.floor(x * count) - quietModules, Math.floor(y * count) - quietModules]
    const isInside = column >= 0 && row >= 0 && column < modules.size && row < modules.size
    return isInside && modules.get(row, column) !== 0
  }
  return {mask, side}
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

/** A person's picture of a code, as it is: what is darker than its middle is dark. */
async function maskOfPicture(source: Uint8Array, size: Size): Promise<{mask: Mask; side: number}> {
  const side = Math.floor(Math.min(size.width, size.height) * share)
  const {picture} = await openPicture(source)
  const {data} = await picture()
    .greyscale()
    .normalise()
    .resize({width: side, height: side, fit: 'contain', background: '#fff', kernel: 'lanczos3'})
    .extractChannel(0)
    .threshold(128)
    .raw()
    .toBuffer({resolveWithObject: true})
  return {mask: (x, y) => (data[Math.floor(y * side) * side + Math.floor(x * side)] ?? 255) < 128, side}
}

const luminance = (red: number, green: number, blue: number) => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** Readers set their threshold block by block: within a module light may vary only this much (ZXing and jsQR: 24). */
const variation = 20

/**
 * Forces light and shade into the middle of the picture: what is dark in the code becomes dark in the colours that are
 * there, what is light becomes light. Stronger means further apart, up to nearly black and white.
 */
function imprint(
  data: Buffer,
  {width, height}: Size,
  {mask, side, strength}: {mask: Mask; side: number; strength: number},
) {
  const force = Math.min(1, Math.max(0, (strength - weakest) / (strongest - weakest)))
  const [darkest, lightest] = [48 - 36 * force, 198 + 34 * force]
  const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)]
  const corner = side * 0.035
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      if (isOutside(x, y, side, corner)) continue
      const at = ((top + y) * width + left + x) * 3
      const light = luminance(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)
      const from = mask((x + 0.5) / side, (y + 0.5) / side) ? darkest : lightest
      setLuminance(data, at, light, from + (variation * light) / 255)
    }
  }
}

/** Darkens by scaling, lightens by adding white: the hue stays. */
function setLuminance(data: Buffer, at: number, light: number, wanted: number) {
  for (let channel = at; channel < at + 3; channel += 1) {
    const value = data[channel] ?? 0
    data[channel] =
      light > wanted ? (value * wanted) / light : value + ((255 - value) * (wanted - light)) / (255 - light)
  }
}

/** Beyond a rounded corner of the square. */
function isOutside(x: number, y: number, side: number, corner: number): boolean {
  const dx = Math.max(0, corner - x, x - (side - 1 - corner))
  const dy = Math.max(0, corner - y, y - (side - 1 - corner))
  return dx > 0 && dy > 0 && Math.hypot(dx, dy) > corner
}
