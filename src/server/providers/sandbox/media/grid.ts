import sharp from 'sharp'
import type {MadeFile} from './media-job.ts'
import {pictureNote} from './picture-note.ts'
import {openPicture, pictureFile, settled} from './picture-file.ts'

/** Longest side of the whole grid, in pixels. */
const longestSide = 2048

/** Up to four pictures as two rows of two, in reading order, each as large as the first. */
export async function drawGrid(pictures: readonly Uint8Array[]): Promise<MadeFile> {
  const opened = await Promise.all(pictures.slice(0, 4).map(openPicture))
  const [first] = opened
  if (first === undefined) throw new Error('a grid needs a picture')
  const scale = Math.min(1, longestSide / 2 / Math.max(first.size.width, first.size.height))
  const cell = {
    width: Math.max(1, Math.round(first.size.width * scale)),
    height: Math.max(1, Math.round(first.size.height * scale)),
  }
  const size = {width: cell.width * 2, height: cell.height * 2}
  const tiles = await Promise.all(
    opened.map(async ({picture}, index) => ({
      input: await picture()
        .resize({...cell, fit: 'cover'})
        .png({compressionLevel: 1})
        .toBuffer(),
      left: (index % 2) * cell.width,
      top: Math.floor(index / 2) * cell.height,
    })),
  )
  const sheet = await settled(sharp({create: {...size, channels: 3, background: '#101014'}}).composite(tiles))
  const note = pictures[0] && (await pictureNote(pictures[0]))
  const {prompt = 'grid', seed = 0, isEdited = false} = note ?? {}
  return pictureFile(sheet, size, {prompt, label: {seed, style: 'grid', isEdited}})
}
