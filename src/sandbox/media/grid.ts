import sharp from 'sharp'
import type {SandboxFile} from './media-job.ts'
import {openImage, imageFile, imageLabel, settled} from './image-file.ts'

/** Longest side of the whole grid, in pixels. */
const longestSide = 2048

/** Up to four images in two rows of two, in reading order, each with the size of the first. */
export async function drawGrid(files: readonly SandboxFile[]): Promise<SandboxFile> {
  const [first] = files
  if (first === undefined) throw new Error('a grid needs an image')
  const openImages = await Promise.all(files.slice(0, 4).map(({file}) => openImage(file)))
  const {width: wide = 1, height: high = 1} = first
  const scale = Math.min(1, longestSide / 2 / Math.max(wide, high))
  const [width, height] = [Math.max(1, Math.round(wide * scale)), Math.max(1, Math.round(high * scale))]
  const tiles = openImages.map(async ({image}, index) => ({
    input: await image().resize({width, height, fit: 'cover'}).png({compressionLevel: 1}).toBuffer(),
    left: (index % 2) * width,
    top: Math.floor(index / 2) * height,
  }))
  const size = {width: width * 2, height: height * 2}
  const ground = sharp({create: {...size, channels: 3, background: '#101014'}})
  const sheet = await settled(ground.composite(await Promise.all(tiles)))
  const {prompt = 'grid', seed = 0, isEdited = false} = (await imageLabel(first.file)) ?? {}
  return imageFile(sheet, size, {prompt, label: {seed, style: 'grid', isEdited}})
}
