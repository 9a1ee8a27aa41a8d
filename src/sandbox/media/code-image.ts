import sharp from 'sharp'
import type {CodeLook} from '#contract/media/media-codes.ts'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {paint} from './art/scenes.ts'
import {contentIn, gridOf} from './code-grid.ts'
import {inkOf, type Ink} from './code-shapes.ts'
import type {SandboxFile, Work} from './media-job.ts'
import {imageFile} from './image-file.ts'
import {seedAt} from './images.ts'
import {seededRandom, type Random} from './random.ts'
import {imageSize, type Size} from './sizes.ts'

type Code = NonNullable<MediaPlan['code']>

/** Light modules around a code, which readers need to find it. */
const quietModules = 2
/** With fewer pixels per module a code is unreliable to read; with more, readers see the shapes of marks. */
const [leastPixels, mostPixels] = [4, 28]
/** Share of the shorter side for the code and its margin; smaller beside the middle. */
const shares = {center: [0.84, 0.98], beside: [0.66, 0.84, 0.98]} as const
const mostImages = 4
/** From 10 to 20: softening of an image per working step it was given less. */
const [mostSteps, softeningOfStep] = [20, 0.9]
/** Range of `strength` (contract/media §2.2). */
const [weakest, strongest] = [1.5, 3]

/** Position of a code. Pixels; `margin` and the `modules` of the code count modules of `unit` pixels. */
type Layout = {left: number; top: number; unit: number; margin: number; modules: number}

/**
 * Images that look like a scene and read as a code: each module keeps the scene's colours and gets the code's
 * lightness.
 */
export async function makeCodeImages(
  plan: MediaPlan,
  code: Code,
  {seed, source, work}: {seed: number; source?: Uint8Array; work: Work},
): Promise<SandboxFile[]> {
  const size = imageSize(plan)
  const {look} = code
  const content = code.content === '' && source !== undefined ? await contentIn(source) : code.content
  const grid = gridOf(content, code.correction)
  const layout = layoutOf(grid.size, look, size)
  const count = Math.min(mostImages, Math.max(1, Math.floor(plan.count)))
  const files: SandboxFile[] = []
  for (let index = 0; index < count; index += 1) {
    work.checkpoint()
    const own = seedAt(seed, index)
    const random = seededRandom('code', own)
    const painting = paint(plan.prompt, own, size)
    const scene = sharp(painting.svg).removeAlpha()
    const softness = (mostSteps - look.steps) * softeningOfStep
    const {data, info} = await (softness > 0 ? scene.blur(softness) : scene).raw().toBuffer({resolveWithObject: true})
    work.report(((index + 0.5) / count) * 100)
    const ink = inkOf(grid, look, random.fork('marks'))
    imprint(data, size, {ink, layout, look, strength: code.strength, random: random.fork('margin')})
    const image = sharp(data, {raw: {width: info.width, height: info.height, channels: info.channels}})
    const label = {seed: own, style: painting.style}
    // the label never covers the code
    const markCorner = look.position.startsWith('bottom') ? 'upper' : 'lower'
    files.push(await imageFile(image, size, {prompt: plan.prompt, label, format: 'png', marked: markCorner}))
    work.report(((index + 1) / count) * 100)
  }
  return files
}

function layoutOf(modules: number, {position, paddingLevel}: CodeLook, size: Size): Layout {
  const shorter = Math.min(size.width, size.height)
  const unitFor = (share: number, margin: number) => Math.floor((shorter * share) / (modules + 2 * margin))
  const steps = position === 'center' ? shares.center : shares.beside
  const share = steps.find((each) => unitFor(each, quietModules) >= leastPixels) ?? 0.98
  let margin = Math.max(quietModules, paddingLevel)
  while (margin > quietModules && unitFor(share, margin) < leastPixels) margin -= 1
  const unit = Math.min(mostPixels, Math.max(2, unitFor(share, margin)))
  const side = unit * (modules + 2 * margin)
  const along = (room: number, start: string, end: string) =>
    Math.floor(position.includes(start) ? 0 : position.includes(end) ? room : room / 2)
  const left = along(size.width - side, 'left', 'right')
  return {left, top: along(size.height - side, 'top', 'bottom'), unit, margin, modules}
}

/** Readers set their threshold per block: lightness within a module may vary only this much (ZXing and jsQR: 24). */
const variation = 20

type Imprint = {ink: Ink; layout: Layout; look: CodeLook; strength: number; random: Random}

/**
 * Applies the code's light and dark to the image within its own colours. Greater strength means more contrast, up to
 * nearly black and white.
 */
function imprint(data: Buffer, {width}: Size, {ink, layout, look, strength, random}: Imprint) {
  const {unit, margin, modules, left, top} = layout
  const force = Math.min(1, Math.max(0, (strength - weakest) / (strongest - weakest)))
  const [darkest, lightest] = [48 - 36 * force, 198 + 34 * force]
  const side = unit * (modules + 2 * margin)
  const {weightAt, isNoise} = marginOf(layout, look.paddingNoise, random)
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const [column, row] = [(x + 0.5) / unit - margin, (y + 0.5) / unit - margin]
      const isSpeck = isNoise(column, row)
      const weight = isSpeck ? 1 : weightAt(column, row)
      if (weight <= 0) continue
      const dark = isSpeck ? 1 : softInk(ink, look.rotate, modules, [column, row], 0.25 / unit)
      const at = ((top + y) * width + left + x) * 3
      const light = 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0)
      const targetLight = lightest + (darkest - lightest) * dark + (variation * light) / 255
      setLuminance(data, at, light, light + (targetLight - light) * weight)
    }
  }
}

type Point = readonly [x: number, y: number]

/** Darkness of a pixel in the rotated code; edges of round shapes are soft. */
function softInk(ink: Ink, rotate: CodeLook['rotate'], modules: number, [column, row]: Point, quarter: number): number {
  let sum = 0
  for (const dx of [-quarter, quarter])
    for (const dy of [-quarter, quarter]) sum += ink(...turned(rotate, modules, [column + dx, row + dy]))
  return sum / 4
}

/** Maps a point of the clockwise rotated code to the code itself. */
function turned(degrees: CodeLook['rotate'], side: number, [x, y]: Point): Point {
  if (degrees === 90) return [y, side - x]
  if (degrees === 180) return [side - x, side - y]
  return degrees === 270 ? [side - y, x] : [x, y]
}

/** How much the margin is lightened, down to zero at its edge, and which of its modules are dark noise. */
function marginOf({margin, modules}: Layout, noise: number, random: Random) {
  const room = margin - quietModules
  const across = modules + 2 * margin
  const specks = Array.from({length: across ** 2}, () => random.chance(noise / 2))
  // corners are rounded by one module
  const beyond = (at: number) => Math.max(0, 1 - quietModules - at, at - modules - quietModules + 1)
  return {
    isNoise: (x: number, y: number) =>
      Math.max(beyond(x), beyond(y)) > 1 && specks[Math.floor(y + margin) * across + Math.floor(x + margin)] === true,
    weightAt: (x: number, y: number) => {
      const distance = Math.hypot(beyond(x), beyond(y))
      return room > 0 ? Math.min(1, (room + 1 - distance) / (room * 0.4)) : Number(distance <= 1)
    },
  }
}

/** Darkens by scaling, lightens by adding white: the hue stays. */
function setLuminance(data: Buffer, at: number, light: number, targetLight: number) {
  for (let channel = at; channel < at + 3; channel += 1) {
    const value = data[channel] ?? 0
    data[channel] =
      light > targetLight
        ? (value * targetLight) / light
        : value + ((255 - value) * (targetLight - light)) / (255 - light)
  }
}
