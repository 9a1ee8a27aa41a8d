import sharp, {type Sharp} from 'sharp'
import {exifOf, readXmp, xmpOf, type Label, type OwnLabel} from './labels.ts'
import {fileName} from './file-names.ts'
import {MediaRefusal, type SandboxFile} from './media-job.ts'
import {watermark} from './watermark.ts'
import {greatestCommonDivisor, type Size} from './sizes.ts'

const previewWidth = 512
const mostPixels = 64_000_000
/** Above this size, encoding time matters more than a few bytes. */
const largePixels = 2_000_000

export const wrap = ({width, height}: Size, body: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`)

/** Renders the image to pixels, from which several later steps can start. */
export async function settled(image: Sharp): Promise<Sharp> {
  const {data, info} = await image.removeAlpha().raw().toBuffer({resolveWithObject: true})
  const {width, height, channels} = info
  return sharp(data, {raw: {width, height, channels}})
}

/** Decodes an image, rotated by its EXIF orientation, within a size limit. */
export async function openImage(bytes: Uint8Array, background = '#808080'): Promise<{image: () => Sharp; size: Size}> {
  try {
    const uprightImage = sharp(bytes, {limitInputPixels: mostPixels, failOn: 'error'}).rotate()
    const {data, info} = await uprightImage
      .flatten({background})
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({resolveWithObject: true})
    const {width, height, channels} = info
    return {image: () => sharp(data, {raw: {width, height, channels}}), size: {width, height}}
  } catch {
    // the library's message describes its internals and is not shown
    throw new MediaRefusal('bad_request', 'A source file cannot be read as an image.')
  }
}

/** Width : height of an image, in small whole numbers if possible. */
export async function imageRatio(bytes: Uint8Array): Promise<readonly [number, number]> {
  const {size} = await openImage(bytes)
  const divisor = greatestCommonDivisor(size.width, size.height)
  return [size.width / divisor, size.height / divisor]
}

/** The label of a sandbox image about its making; `undefined` for any other. */
export async function imageLabel(bytes: Uint8Array): Promise<OwnLabel | undefined> {
  try {
    const {xmp} = await sharp(bytes).metadata()
    return xmp && readXmp(xmp.toString())
  } catch {
    return undefined // not an image: the caller that opens it reports that
  }
}

/** Marks, labels and encodes one image, with a preview. */
export async function imageFile(
  image: Sharp,
  size: Size,
  {
    prompt,
    label,
    quality = 90,
    format = 'webp',
    marked: corner = 'lower',
  }: {prompt: string; label: Label; quality?: number; format?: 'webp' | 'png' | 'jpeg'; marked?: 'lower' | 'upper'},
): Promise<SandboxFile> {
  const markedImage = await settled(image.composite([{input: wrap(size, watermark(size, corner)), left: 0, top: 0}]))
  const labelledImage = markedImage.clone().withExif(exifOf(label)).withXmp(xmpOf(prompt, label))
  const isLarge = size.width * size.height > largePixels
  const imageBytes =
    format === 'png'
      ? labelledImage.png({compressionLevel: 8})
      : format === 'jpeg'
        ? labelledImage.jpeg({quality})
        : labelledImage.webp({quality, smartSubsample: !isLarge, effort: isLarge ? 1 : 3})
  const file = await imageBytes.toBuffer()
  const preview = await markedImage
    .resize({width: previewWidth, height: previewWidth, fit: 'inside', withoutEnlargement: true})
    .webp({quality: 80})
    .toBuffer()
  return {
    medium: 'image',
    file,
    type: `image/${format}`,
    name: fileName(prompt, label.seed, format),
    preview: {file: preview, type: 'image/webp'},
    width: size.width,
    height: size.height,
    seed: label.seed,
    ...(label.style !== undefined && {style: label.style}),
  }
}
