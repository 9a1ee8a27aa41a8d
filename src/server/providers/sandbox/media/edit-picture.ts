import sharp, {type Sharp} from 'sharp'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {css} from './art/colour.ts'
import {linearGradient, n, radialGradient} from './art/drawing.ts'
import {choosePalette} from './art/palette.ts'
import type {MadeFile, PictureEdit} from './media-job.ts'
import {openPicture, pictureFile, settled, wrap} from './picture-file.ts'
import {seededRandom} from './random.ts'
import {pictureSize, type Size} from './sizes.ts'

/** Longest side of an enlarged picture, in pixels. */
const longestSide = 4096
/** A picture loses at most that share of itself to another ratio; beyond it gets a soft border instead. */
const mostCropped = 0.25

type Opened = {picture: () => Sharp; size: Size}

const fixed = async (picture: Sharp, size: Size): Promise<Opened> => {
  const done = await settled(picture)
  return {picture: () => done.clone(), size}
}

/** A quarter of a two by two grid; 1 is the upper left, 4 the lower right. */
async function cellOf(source: Opened, cell: number | undefined): Promise<Opened> {
  if (cell === undefined) return source
  const [width, height] = [Math.floor(source.size.width / 2), Math.floor(source.size.height / 2)]
  if (width < 1 || height < 1) return source
  const place = Math.min(4, Math.max(1, Math.floor(cell))) - 1
  const region = {left: (place % 2) * width, top: Math.floor(place / 2) * height, width, height}
  return fixed(source.picture().extract(region), {width, height})
}

type Surroundings = {flip: boolean; flop: boolean; brightness: number}
const plainly: Surroundings = {flip: false, flop: false, brightness: 0.94}
/** Pictures that show more around the same one differ in what that is: seeds of one sheet follow each other. */
const surroundings: readonly Surroundings[] = [
  plainly,
  {flip: false, flop: true, brightness: 0.7},
  {flip: true, flop: false, brightness: 1.12},
  {flip: true, flop: true, brightness: 0.82},
]
const surroundingsOf = (seed: number) => surroundings[seed % surroundings.length] ?? plainly

/** The picture at a place of a larger sheet; around it its own colours, softly. */
async function onSheet(
  source: Opened,
  sheet: Size,
  at: Size & {left: number; top: number},
  {flip, flop, brightness}: Surroundings = plainly,
): Promise<Opened> {
  // a blur of a small picture, enlarged, is the same softness for a fraction of the work
  const small = {width: Math.max(8, Math.round(sheet.width / 16)), height: Math.max(8, Math.round(sheet.height / 16))}
  const around = await source
    .picture()
    .resize({...small, fit: 'cover'})
    .flip(flip)
    .flop(flop)
    .blur(3)
    .modulate({brightness})
    .raw()
    .toBuffer({resolveWithObject: true})
  const inner = await feathered(source, at, sheet)
  const ground = await sharp(around.data, {raw: around.info})
    .resize({...sheet, fit: 'fill', kernel: 'cubic'})
    .raw()
    .toBuffer()
  const laid = sharp(ground, {raw: {...sheet, channels: 3}}).composite([
    {input: inner, raw: {width: at.width, height: at.height, channels: 4}, left: at.left, top: at.top},
  ])
  return fixed(laid, sheet)
}

/** Resized, fading out towards every edge that lies inside the sheet. Raw pixels with opacity. */
async function feathered(source: Opened, at: Size & {left: number; top: number}, sheet: Size): Promise<Buffer> {
  const {width, height, left, top} = at
  const {data} = await source
    .picture()
    .resize({width, height, fit: 'fill'})
    .ensureAlpha()
    .raw()
    .toBuffer({resolveWithObject: true})
  const reach = Math.max(2, Math.min(width, height) * 0.14)
  const rise = (far: number) => smooth(far / reach)
  const across = Float32Array.from({length: width}, (_, x) =>
    Math.min(left > 0 ? rise(x) : 1, left + width < sheet.width ? rise(width - 1 - x) : 1),
  )
  for (let y = 0; y < height; y += 1) {
    const down = Math.min(top > 0 ? rise(y) : 1, top + height < sheet.height ? rise(height - 1 - y) : 1)
    for (let x = 0; x < width; x += 1) data[(y * width + x) * 4 + 3] = 255 * down * (across[x] ?? 1)
  }
  return data
}

const smooth = (value: number) => {
  const share = Math.min(1, Math.max(0, value))
  return share * share * (3 - 2 * share)
}

/** Fits the picture into the size: cropped a little, or whole on a soft sheet. */
async function fitted(source: Opened, size: Size): Promise<Opened> {
  const [own, asked] = [source.size.width / source.size.height, size.width / size.height]
  const kept = Math.min(own / asked, asked / own)
  if (kept >= 1 - mostCropped) return fixed(source.picture().resize({...size, fit: 'cover'}), size)
  const scale = Math.min(size.width / source.size.width, size.height / source.size.height)
  const [width, height] = [
    Math.max(1, Math.round(source.size.width * scale)),
    Math.max(1, Math.round(source.size.height * scale)),
  ]
  return onSheet(source, size, {
    width,
    height,
    left: Math.floor((size.width - width) / 2),
    top: Math.floor((size.height - height) / 2),
  })
}

function enlarged(source: Opened, factor: number): Promise<Opened> {
  const longest = Math.max(source.size.width, source.size.height)
  const scale = Math.max(1, Math.min(Math.max(1, factor), longestSide / longest))
  const size = {width: Math.round(source.size.width * scale), height: Math.round(source.size.height * scale)}
  return fixed(
    source
      .picture()
      .resize({...size, kernel: 'lanczos3', fit: 'fill'})
      .sharpen(),
    size,
  )
}

function zoomedOut(source: Opened, factor: number, around: Surroundings): Promise<Opened> {
  const {width, height} = source.size
  const share = 1 / Math.min(4, Math.max(1.1, factor))
  const inner = {width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share))}
  const place = {left: Math.floor((width - inner.width) / 2), top: Math.floor((height - inner.height) / 2)}
  return onSheet(source, source.size, {...inner, ...place}, around)
}

/** Half as much again on one side. */
function panned(source: Opened, direction: 'left' | 'right' | 'up' | 'down', around: Surroundings): Promise<Opened> {
  const {width, height} = source.size
  const isAcross = direction === 'left' || direction === 'right'
  const more = Math.round((isAcross ? width : height) / 2)
  const sheet = isAcross ? {width: width + more, height} : {width, height: height + more}
  const place = {left: direction === 'left' ? more : 0, top: direction === 'up' ? more : 0}
  return onSheet(source, sheet, {width, height, ...place}, around)
}

function squared(source: Opened, around: Surroundings): Promise<Opened> {
  const {width, height} = source.size
  const side = Math.max(width, height)
  return onSheet(
    source,
    {width: side, height: side},
    {width, height, left: Math.floor((side - width) / 2), top: Math.floor((side - height) / 2)},
    around,
  )
}

/** The same motif in other light: turned hue, another section, perhaps mirrored. */
async function varied(source: Opened, seed: number, isStrong: boolean): Promise<Opened> {
  const random = seededRandom('variation', seed)
  const {width, height} = source.size
  const share = isStrong ? random.between(0.72, 0.86) : random.between(0.9, 0.96)
  const inner = {width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share))}
  const region = {
    ...inner,
    left: Math.floor((width - inner.width) * random.next()),
    top: Math.floor((height - inner.height) * random.next()),
  }
  const turned = source
    .picture()
    .extract(region)
    .flop(isStrong && random.chance(0.5))
    .resize({width, height, fit: 'fill'})
    .modulate({
      hue: Math.round(random.between(-1, 1) * (isStrong ? 70 : 22)),
      saturation: random.between(0.9, 1.25),
      brightness: random.between(0.95, 1.08),
    })
  return fixed(turned, source.size)
}

/** Tinted and framed in the colours that the prompt names, with further pictures as insets. */
async function edited(sources: readonly Opened[], prompt: string, seed: number, size: Size): Promise<Opened> {
  const random = seededRandom('edit', prompt, seed)
  const palette = choosePalette(prompt, random.fork('palette'))
  const [first, ...others] = sources
  if (first === undefined) throw new Error('an edit needs a picture')
  const base = await fitted(first, size)
  const {width, height} = size
  const unit = Math.min(width, height)
  const tone = linearGradient([
    [0, palette.top],
    [0.6, palette.accent],
    [1, palette.near],
  ])
  const leak = radialGradient([
    [0, palette.light, 0.85],
    [0.45, palette.accent, 0.3],
    [1, palette.accent, 0],
  ])
  const tint = wrap(
    size,
    `${tone.definition}<rect width="${width}" height="${height}" fill="${tone.paint}" fill-opacity="0.75"/>`,
  )
  const light = wrap(
    size,
    `${leak.definition}<circle cx="${n(random.chance(0.5) ? 0 : width)}" cy="${n(random.between(0, 0.35) * height)}" r="${n(unit * 0.75)}" fill="${leak.paint}"/>`,
  )
  const frame = unit * 0.022
  const border = wrap(
    size,
    `<rect x="${n(frame)}" y="${n(frame)}" width="${n(width - 2 * frame)}" height="${n(height - 2 * frame)}" rx="${n(frame)}" fill="none" stroke="${css(palette.light)}" stroke-opacity="0.9" stroke-width="${n(frame * 0.36)}"/>`,
  )
  const insets = await Promise.all(others.slice(0, 4).map((other, index) => inset(other, index, size)))
  const composed = base
    .picture()
    .composite([{input: tint, blend: 'soft-light'}, {input: light, blend: 'screen'}, ...insets, {input: border}])
  return fixed(composed, size)
}

async function inset(source: Opened, index: number, {width, height}: Size) {
  const side = Math.round(Math.min(width, height) * 0.2)
  const gap = Math.round(side * 0.24)
  const mask = wrap(
    {width: side, height: side},
    `<rect width="${side}" height="${side}" rx="${n(side * 0.14)}" fill="#fff"/>`,
  )
  const rounded = await source
    .picture()
    .resize(side, side, {fit: 'cover'})
    .ensureAlpha()
    .composite([{input: mask, blend: 'dest-in'}])
    .png({compressionLevel: 1})
    .toBuffer()
  return {input: rounded, left: gap + index * (side + Math.round(gap / 2)), top: height - side - gap}
}

async function changed(sources: readonly Opened[], plan: MediaPlan, seed: number, edit: PictureEdit): Promise<Opened> {
  const [first] = sources
  if (first === undefined) throw new Error('an edit needs a picture')
  switch (edit.kind) {
    case 'upscale':
      return enlarged(await cellOf(first, edit.cell), edit.factor)
    case 'again':
      return varied(first, seed, true)
    case 'variation':
      return varied(await cellOf(first, edit.cell), seed, edit.strength === 'strong')
    case 'zoom':
      return zoomedOut(first, edit.factor, surroundingsOf(seed))
    case 'pan':
      return panned(first, edit.direction, surroundingsOf(seed))
    case 'square':
      return squared(first, surroundingsOf(seed))
    case 'edit':
      return edited(sources, plan.prompt, seed, pictureSize(plan))
  }
}

/** A picture made of the source pictures: what was given stays visible, and what was asked for can be seen. */
export async function editPicture(
  plan: MediaPlan,
  {seed, sources, edit}: {seed: number; sources: readonly Uint8Array[]; edit: PictureEdit},
): Promise<MadeFile> {
  const opened: Opened[] = []
  for (const bytes of sources.slice(0, edit.kind === 'edit' ? 5 : 1)) opened.push(await openPicture(bytes))
  const {picture, size} = await changed(opened, plan, seed, edit)
  const {prompt, quality} = plan
  return pictureFile(picture(), size, {prompt, quality, label: {seed, style: edit.kind, isEdited: true}})
}
