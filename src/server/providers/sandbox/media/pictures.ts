import sharp from 'sharp'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {paint, svg} from './art/scenes.ts'
import {editPicture} from './edit-picture.ts'
import type {MadeFile, PictureEdit, Work} from './media-job.ts'
import {pictureFile} from './picture-file.ts'
import {pictureSize} from './sizes.ts'

/** More than any tool asks for at once. */
const mostPictures = 8

/** The seed of the picture at that place: the first is the plan's own. */
export const seedAt = (seed: number, index: number): number => (seed + index) % Number.MAX_SAFE_INTEGER

/** One picture from words. */
async function drawPicture(prompt: string, seed: number, aspectRatio: readonly [number, number]): Promise<MadeFile> {
  const size = pictureSize(aspectRatio)
  const painting = paint(prompt, seed, size)
  return pictureFile(sharp(svg(size, painting.layers)), size, {prompt, label: {seed, style: painting.style}})
}

/** As many pictures as asked for: drawn from the prompt, or made from the source pictures. */
export async function makePictures(
  plan: MediaPlan,
  {seed, sources, edit, work}: {seed: number; sources: readonly Uint8Array[]; edit?: PictureEdit; work: Work},
): Promise<MadeFile[]> {
  const count = Math.min(mostPictures, Math.max(1, Math.floor(plan.count)))
  const files: MadeFile[] = []
  for (let index = 0; index < count; index += 1) {
    work.checkpoint()
    const own = seedAt(seed, index)
    files.push(
      sources.length > 0
        ? await editPicture(plan, {seed: own, sources, edit: edit ?? {kind: 'edit'}})
        : await drawPicture(plan.prompt, own, plan.aspectRatio),
    )
    work.report(((index + 1) / count) * 100)
  }
  return files
}
