import type {SandboxFile} from './media-job.ts'
import {openImage, imageLabel} from './image-file.ts'
import {greatestCommonDivisor} from './sizes.ts'

const names: readonly (readonly [string, readonly [red: number, green: number, blue: number]])[] = [
  ['black', [16, 16, 16]],
  ['grey', [128, 128, 128]],
  ['white', [245, 245, 245]],
  ['brown', [110, 70, 40]],
  ['red', [205, 40, 40]],
  ['orange', [240, 140, 40]],
  ['yellow', [240, 220, 70]],
  ['green', [50, 150, 60]],
  ['turquoise', [70, 190, 190]],
  ['blue', [50, 90, 210]],
  ['navy', [25, 40, 95]],
  ['violet', [120, 60, 180]],
  ['pink', [240, 150, 190]],
]

type Rgb = {r: number; g: number; b: number}

const nameOf = ({r, g, b}: Rgb): string => {
  const far = ([, [red, green, blue]]: (typeof names)[number]) => Math.hypot(red - r, green - g, blue - b)
  return names.toSorted((one, other) => far(one) - far(other))[0]?.[0] ?? 'grey'
}

/** Four descriptions of an image from measurements: colours, light, shape. It recognizes no content. */
export async function describeImage(bytes: Uint8Array, seed: number): Promise<SandboxFile[]> {
  const {image, size} = await openImage(bytes)
  const {width, height} = size
  const {dominant, channels, entropy} = await image().stats()
  const note = await imageLabel(bytes)
  const [r = 0, g = 0, b = 0] = channels.map(({mean}) => mean)
  const percent = Math.round(((0.2126 * r + 0.7152 * g + 0.0722 * b) / 255) * 100)
  const shape = width > height * 1.05 ? 'landscape' : height > width * 1.05 ? 'portrait' : 'square'
  const light = percent < 30 ? 'dark' : percent > 70 ? 'bright' : 'evenly lit'
  const detail = entropy < 4 ? 'large calm areas' : entropy < 7 ? 'moderate detail' : 'fine detail'
  const [most, mean] = [nameOf(dominant), nameOf({r, g, b})]
  const divisor = greatestCommonDivisor(width, height)
  const isPlain = width / divisor <= 32 && height / divisor <= 32
  const ratio = isPlain ? `${width / divisor}:${height / divisor}` : `${Math.round((width / height) * 16)}:16`
  const origin =
    note === undefined ? 'not made by this sandbox' : `made by this sandbox from the words "${note.prompt}"`
  const texts = [
    `Image in ${shape} format, ${light}, mostly ${most} --ar ${ratio}`,
    `Composition with ${detail}; the most frequent colour is ${most}, the mean of all is ${mean} --ar ${ratio}`,
    `${width} × ${height} pixels, mean lightness ${percent} %, ${detail} --ar ${ratio}`,
    `Measured by the sandbox, which recognises nothing: ${origin} --ar ${ratio}`,
  ]
  return texts.map((text, index) => ({
    medium: 'text',
    file: new TextEncoder().encode(text),
    type: 'text/plain',
    name: `description-${index + 1}-${seed}.txt`,
    seed,
    text,
  }))
}
