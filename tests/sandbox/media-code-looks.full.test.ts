import QRCode from 'qrcode'
import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import {qrOptions, type CodeLook} from '#contract/media/media-codes.ts'
import {seededRandom} from '#sandbox/media/random.ts'
import {plainLook} from '#tests/contract/media/plain-look.ts'
import type {SandboxFile} from '#sandbox/media/media-job.ts'
import type {CodeCorners} from '#server/media/codes/scan-pixels.ts'
import {findCode, scanCode} from '#tests/server/media-probe.ts'
import {first, make} from './media.harness.ts'

/* Every setting of a code changes the image as it is called, and whatever is chosen, a scanner reads it. */

const content = 'https://shop.example'
type Setting = {pixels?: readonly [number, number]; source?: Uint8Array}

const draw = async (changes: Partial<CodeLook>, {pixels = [640, 640], source}: Setting) =>
  first(
    await make(
      {
        prompt: 'lemon grove',
        pixels,
        code: {content: source ? '' : content, correction: 'M', strength: 2, look: {...plainLook, ...changes}},
      },
      {sourceFiles: source ? [source] : []},
    ),
  )

const images = new Map<string, Promise<SandboxFile>>()
/** A look is drawn once, whichever tests compare others with it. */
function drawn(changes: Partial<CodeLook>, setting: Setting = {}): Promise<SandboxFile> {
  if (setting.source !== undefined) return draw(changes, setting)
  const key = JSON.stringify([{...plainLook, ...changes}, setting.pixels])
  const image = images.get(key) ?? draw(changes, setting)
  images.set(key, image)
  return image
}

const codes = new WeakMap<SandboxFile, ReturnType<typeof findCode>>()
/** A code is read once in an image. */
function codeIn(image: SandboxFile): ReturnType<typeof findCode> {
  const code = codes.get(image) ?? findCode(image.file)
  codes.set(image, code)
  return code
}

async function found(changes: Partial<CodeLook>, setting: Setting = {}): Promise<CodeCorners> {
  const code = await codeIn(await drawn(changes, setting))
  expect(code?.data).toBe(content)
  if (code === undefined) throw new Error('no code')
  return code.location
}

const middleOf = ({topLeftCorner, bottomRightCorner}: CodeCorners) => ({
  x: (topLeftCorner.x + bottomRightCorner.x) / 2,
  y: (topLeftCorner.y + bottomRightCorner.y) / 2,
})
const sideOf = ({topLeftCorner: a, topRightCorner: b}: CodeCorners) => Math.hypot(a.x - b.x, a.y - b.y)

/** Brightness, one byte a pixel. */
const greyOf = async (file: Uint8Array) => {
  const {data, info} = await sharp(file).greyscale().extractChannel(0).raw().toBuffer({resolveWithObject: true})
  return {data, width: info.width, height: info.height}
}
/** The mean difference of a pixel in a part of two images of the same size. */
async function difference(
  one: Uint8Array,
  other: Uint8Array,
  isPart: (x: number, y: number) => boolean = () => true,
): Promise<number> {
  const [a, b] = [await greyOf(one), await greyOf(other)]
  let [sum, count] = [0, 0]
  for (let at = 0; at < a.data.length; at += 1) {
    if (!isPart(at % a.width, Math.floor(at / a.width))) continue
    sum += Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0))
    count += 1
  }
  return sum / count
}

/** Whether a pixel of a code that stands upright is in one of its three large marks. */
function inMarks(location: CodeCorners, modules: number) {
  const {x: left, y: top} = location.topLeftCorner
  const unit = sideOf(location) / modules
  return (x: number, y: number) => {
    const [column, row] = [(x - left) / unit, (y - top) / unit]
    const isInside = column > 0 && row > 0 && column < modules && row < modules
    const [isNear, isLow] = [column < 7, row < 7]
    return isInside && ((isNear && isLow) || (isNear && row > modules - 7) || (isLow && column > modules - 7))
  }
}
const modulesOf = () => QRCode.create(content, {errorCorrectionLevel: 'M'}).modules.size

test.each(qrOptions.positions)('position %s is where the code stands', async (position) => {
  const image = await drawn({position}, {pixels: [640, 480]})
  const {width = 0, height = 0} = image
  const code = await codeIn(image)
  if (code === undefined) throw new Error('no code')
  const {x, y} = middleOf(code.location)
  const across = position.includes('left') ? -1 : position.includes('right') ? 1 : 0
  const down = position.includes('top') ? -1 : position.includes('bottom') ? 1 : 0
  const side = (at: number, whole: number) => (Math.abs(at / whole - 0.5) < 0.01 ? 0 : Math.sign(at - whole / 2))
  expect([side(x, width), side(y, height)]).toEqual([across, down])
})

test.each([
  [0, [-1, -1]],
  [90, [1, -1]],
  [180, [1, 1]],
  [270, [-1, 1]],
] as const)('turned by %s degrees, its upper left corner goes clockwise', async (rotate, [across, down]) => {
  const location = await found({rotate})
  const middle = middleOf(location)
  const {x, y} = location.topLeftCorner
  expect([Math.sign(x - middle.x), Math.sign(y - middle.y)]).toEqual([across, down])
})

test('a wider margin leaves the code less of the image', async () => {
  const sides: number[] = []
  for (const paddingLevel of qrOptions.paddings) sides.push(Math.round(sideOf(await found({paddingLevel}))))
  expect(sides).toEqual([...new Set(sides)].sort((a, b) => b - a))
})

test('noise darkens the margin, the more the more of it, and nothing within', async () => {
  const plain = await drawn({paddingLevel: 15})
  const location = await found({paddingLevel: 15})
  const {x: left, y: top} = location.topLeftCorner
  const side = sideOf(location)
  const isCode = (x: number, y: number) => x > left && y > top && x < left + side && y < top + side
  const darker: number[] = []
  for (const paddingNoise of qrOptions.noises) {
    const {file} = await drawn({paddingLevel: 15, paddingNoise})
    expect(await scanCode(file)).toBe(content)
    expect(await difference(plain.file, file, isCode)).toBe(0)
    darker.push(await difference(plain.file, file))
  }
  expect(darker).toEqual([...new Set(darker)].sort((a, b) => a - b))
  expect(darker[0]).toBe(0)
})

test('dots have their own shape, and the marks stay', async () => {
  const plain = await drawn({})
  const marks = inMarks(await found({}), modulesOf())
  const made = [plain.file]
  for (const pixelStyle of qrOptions.pixelStyles.slice(1)) {
    const {file} = await drawn({pixelStyle})
    expect(await scanCode(file)).toBe(content)
    expect(await difference(plain.file, file, marks)).toBe(0)
    for (const other of made) expect(await difference(other, file)).toBeGreaterThan(0.5)
    made.push(file)
  }
})

test.each([
  ['markerShape', qrOptions.markerShapes],
  ['subMarker', qrOptions.subMarkers],
] as const)('%s changes the marks, each in its way', async (setting, shapes) => {
  const plain = await drawn({})
  const marks = inMarks(await found({}), modulesOf())
  const made = [plain.file]
  for (const shape of shapes.slice(1)) {
    const {file} = await drawn({[setting]: shape})
    expect(await scanCode(file)).toBe(content)
    for (const other of made) expect(await difference(other, file, marks)).toBeGreaterThan(0.1)
    if (setting === 'markerShape') expect(await difference(plain.file, file, (x, y) => !marks(x, y))).toBeLessThan(0.05)
    made.push(file)
  }
})

test('fewer steps leave the scene softer', async () => {
  const edges: number[] = []
  for (const steps of [10, 15, 20]) {
    const {file} = await drawn({steps})
    expect(await scanCode(file)).toBe(content)
    // above the code there is nothing but the scene
    const {data, width} = await greyOf(file)
    let sum = 0
    for (let at = 1; at < width * 60; at += 1) sum += Math.abs((data[at] ?? 0) - (data[at - 1] ?? 0))
    const low = data.length - width * 60
    for (let at = low + width / 2; at < data.length; at += 1) sum += Math.abs((data[at] ?? 0) - (data[at - 1] ?? 0))
    edges.push(sum)
  }
  expect(edges).toEqual([...new Set(edges)].sort((a, b) => a - b))
})

describe('whatever is chosen, it decodes', () => {
  const random = seededRandom('looks')
  // as: none of the lists is empty
  const any = <Value>(values: readonly Value[]): Value => random.pick(values as readonly [Value, ...Value[]])
  const chosen = Array.from({length: 10}, () => ({
    look: {
      steps: random.integer(10, 20),
      position: any(qrOptions.positions),
      pixelStyle: any(qrOptions.pixelStyles),
      markerShape: any(qrOptions.markerShapes),
      subMarker: any(qrOptions.subMarkers),
      rotate: any(qrOptions.rotations),
      paddingLevel: any(qrOptions.paddings),
      paddingNoise: any(qrOptions.noises),
    },
    text: any(['a', content, 'x0'.repeat(60), 'x0'.repeat(400)]),
    prompt: any(['lemon grove', 'night sky', 'white snow', 'neon city', 'mandala']),
    aspectRatio: any([
      [1, 1],
      [4, 3],
      [9, 16],
      [16, 9],
    ] as const),
    correction: any(qrOptions.corrections),
    strength: any([1.5, 2, 3]),
  }))
  test.each(chosen)('$look', async ({look, text, prompt, aspectRatio, correction, strength}) => {
    const made = first(await make({prompt, aspectRatio, code: {content: text, correction, strength, look}}))
    expect(await scanCode(made.file)).toBe(text)
  })
})

describe('an image of a code', () => {
  const changes = {position: 'right', pixelStyle: 'dot', rotate: 90, paddingLevel: 10} as const

  test('whose modules can be told is drawn anew with every setting', async () => {
    const source = await QRCode.toBuffer(content, {width: 400, errorCorrectionLevel: 'M'})
    const [taken, typed] = [await drawn(changes, {source}), await drawn(changes)]
    expect(await scanCode(taken.file)).toBe(content)
    expect(await difference(taken.file, typed.file)).toBe(0)
  })

  test('that stands askew is read and drawn anew, where and how it is asked to stand', async () => {
    const upright = await QRCode.toBuffer(content, {width: 600})
    const source = await sharp(upright).rotate(8, {background: '#fff'}).toBuffer()
    const location = await found({...changes, paddingLevel: 0}, {source})
    expect(middleOf(location).x).toBeGreaterThan(640 * 0.55)
    expect(location.topLeftCorner.x).toBeGreaterThan(location.bottomLeftCorner.x)
  })
})
