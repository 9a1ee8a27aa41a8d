import sharp, {type Sharp} from 'sharp'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {css} from './art/colour.ts'
import {choosePalette} from './art/palette.ts'
import type {SandboxFile} from './media-job.ts'
import {openImage, imageFile, settled, wrap} from './image-file.ts'
import {seededRandom} from './random.ts'
import {imageSize, type Size} from './sizes.ts'

/** Longest side of an enlarged image, in pixels. */
const longestSide = 4096
/** Most of an image that a crop to another ratio may remove; beyond that it gets a soft border instead. */
const mostCropped = 0.25
const mostImages = 5

type OpenImage = {image: () => Sharp; size: Size}

const fixed = async (image: Sharp, size: Size): Promise<OpenImage> => {
  const result = await settled(image)
  return {image: () => result.clone(), size}
}

/** A quarter of a two by two grid; 1 is the upper left, 4 the lower right. */
async function cellOf(source: OpenImage, cell: number): Promise<OpenImage> {
  const [width, height] = [Math.floor(source.size.width / 2), Math.floor(source.size.height / 2)]
  if (width < 1 || height < 1) return source
  const region = {left: ((cell - 1) % 2) * width, top: Math.floor((cell - 1) / 2) * height, width, height}
  return fixed(source.image().extract(region), {width, height})
}

const centre = [0.5, 0.5] as const
/** Images of one sheet, with consecutive seeds, get different brightness. */
const brightnesses = [0.94, 0.7, 1.15, 0.82]

/**
 * The image in a part of a larger sheet, surrounded by its own blurred colours. `anchor` goes from 0, left or top, to
 * 1.
 */
async function onSheet(source: OpenImage, sheet: Size, share: number, anchor: readonly [number, number], seed: number) {
  // blurring a small copy and enlarging it looks the same for a fraction of the work
  const small = {width: Math.max(8, Math.round(sheet.width / 16)), height: Math.max(8, Math.round(sheet.height / 16))}
  const around = await source
    .image()
    .resize({...small, fit: 'cover'})
    .flip(seed % 2 === 1)
    .blur(3)
    .modulate({brightness: brightnesses[seed % brightnesses.length]})
    .raw()
    .toBuffer({resolveWithObject: true})
  const width = Math.max(1, Math.round(source.size.width * share))
  const height = Math.max(1, Math.round(source.size.height * share))
  const inner = await source.image().resize({width, height, fit: 'fill'}).png({compressionLevel: 1}).toBuffer()
  const ground = sharp(around.data, {raw: around.info}).resize({...sheet, fit: 'fill', kernel: 'cubic'})
  const left = Math.max(0, Math.floor((sheet.width - width) * anchor[0]))
  const top = Math.max(0, Math.floor((sheet.height - height) * anchor[1]))
  return fixed((await settled(ground)).composite([{input: inner, left, top}]), sheet)
}

/** Fits the image into the size: slightly cropped, or whole on a soft sheet. */
async function fitted(source: OpenImage, size: Size): Promise<OpenImage> {
  const [across, down] = [size.width / source.size.width, size.height / source.size.height]
  if (Math.min(across / down, down / across) >= 1 - mostCropped)
    return fixed(source.image().resize({...size, fit: 'cover'}), size)
  return onSheet(source, size, Math.min(across, down), centre, 0)
}

function enlarged(source: OpenImage, factor: number): Promise<OpenImage> {
  const {width, height} = source.size
  const scale = Math.max(1, Math.min(factor, longestSide / Math.max(width, height)))
  const size = {width: Math.round(width * scale), height: Math.round(height * scale)}
  return fixed(
    source
      .image()
      .resize({...size, fit: 'fill'})
      .sharpen(),
    size,
  )
}

/** The same motif in different light. */
async function varied(source: OpenImage, seed: number, isStrong: boolean): Promise<OpenImage> {
  const random = seededRandom('variation', seed)
  const hue = Math.round(random.between(12, 24) * (isStrong ? 4 : 1)) * (random.chance(0.5) ? 1 : -1)
  const light = {hue, saturation: random.between(0.9, 1.25), brightness: random.between(0.92, 1.1)}
  return fixed(source.image().modulate(light), source.size)
}

/** Applies a tool's action to an image. */
async function changed(source: OpenImage, action: string, seed: number): Promise<OpenImage> {
  const cell = /^(?:upscale|variation)([1-4])$/.exec(action)?.[1]
  const from = cell === undefined ? source : await cellOf(source, Number(cell))
  const {width, height} = from.size
  const side = Math.max(width, height)
  if (action.startsWith('redo_upscale')) return enlarged(from, 1)
  if (action.includes('upscale')) return enlarged(from, action.endsWith('4x') ? 4 : 2)
  if (action.startsWith('zoom_out'))
    return onSheet(from, from.size, action.endsWith('2x') ? 1 / 2 : 2 / 3, centre, seed)
  if (action === 'square') return onSheet(from, {width: side, height: side}, 1, centre, seed)
  const wider = {width: Math.round(width * 1.5), height}
  const taller = {width, height: Math.round(height * 1.5)}
  if (action === 'pan_left') return onSheet(from, wider, 1, [1, 0], seed)
  if (action === 'pan_right') return onSheet(from, wider, 1, [0, 0], seed)
  if (action === 'pan_up') return onSheet(from, taller, 1, [0, 1], seed)
  if (action === 'pan_down') return onSheet(from, taller, 1, [0, 0], seed)
  return varied(from, seed, !action.endsWith('subtle'))
}

/** Tinted and framed in the colours of the prompt, with further images as insets. */
async function edited([first, ...others]: readonly OpenImage[], prompt: string, seed: number, size: Size) {
  if (first === undefined) throw new Error('an edit needs an image')
  const {accent, light} = choosePalette(prompt, seededRandom('edit', prompt, seed))
  const {width, height} = size
  const unit = Math.min(width, height)
  // several edits of one image differ in saturation
  const depth = 0.4 + 0.12 * (seed % 4)
  const tint = wrap(size, `<rect width="${width}" height="${height}" fill="${css(accent)}" fill-opacity="${depth}"/>`)
  const frame = Math.round(unit * 0.02)
  const border = wrap(
    size,
    `<rect x="${frame}" y="${frame}" width="${width - 2 * frame}" height="${height - 2 * frame}" rx="${frame}" fill="none" stroke="${css(light)}" stroke-width="${unit * 0.008}"/>`,
  )
  const side = Math.round(unit * 0.2)
  const insets = others.map(async ({image}, index) => ({
    input: await image().resize(side, side, {fit: 'cover'}).png({compressionLevel: 1}).toBuffer(),
    left: frame * 3 + index * (side + frame),
    top: height - side - frame * 6,
  }))
  const layers = [{input: tint, blend: 'soft-light' as const}, ...(await Promise.all(insets)), {input: border}]
  return fixed((await fitted(first, size)).image().composite(layers), size)
}

/** An image made from the source images: they stay visible, and the requested change can be seen. */
export async function editImage(
  plan: MediaPlan,
  {seed, sources}: {seed: number; sources: readonly Uint8Array[]},
): Promise<SandboxFile> {
  const {prompt, quality, action} = plan
  const isAction = action !== undefined && !(action === 'generate' && prompt !== '')
  const openImages: OpenImage[] = []
  for (const bytes of sources.slice(0, isAction ? 1 : mostImages)) openImages.push(await openImage(bytes))
  const [first] = openImages
  if (first === undefined) throw new Error('an edit needs an image')
  const {image, size} = isAction
    ? await changed(first, action, seed)
    : await edited(openImages, prompt, seed, imageSize(plan))
  return imageFile(image(), size, {prompt, quality, label: {seed, style: action ?? 'edit', isEdited: true}})
}
