import sharp from 'sharp'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {paint} from './art/scenes.ts'
import {editImage} from './edit-image.ts'
import {drawGrid} from './grid.ts'
import {MediaRefusal, type SandboxFile, type Work} from './media-job.ts'
import {imageFile, imageLabel, imageRatio} from './image-file.ts'
import {imageSize} from './sizes.ts'

/** More than any tool requests at once. */
const mostImages = 8

/** Seed of the image at an index: the first is the plan's own; the greatest is followed by 0. */
export function seedAt(seed: number, index: number): number {
  const room = Number.MAX_SAFE_INTEGER - seed
  return index <= room ? seed + index : index - room - 1
}

/** One image from words. */
async function drawImage(plan: MediaPlan, seed: number): Promise<SandboxFile> {
  const {prompt, quality} = plan
  const size = imageSize(plan)
  const {svg, style} = paint(prompt, seed, size)
  return imageFile(sharp(svg), size, {prompt, quality, label: {seed, style}})
}

/**
 * The requested number of images, each a sheet of several if the tool wants sheets: drawn from the prompt, or made from
 * the source images. The result of an action comes last, after references of the prompt.
 */
export async function makeImages(
  plan: MediaPlan,
  {seed, sources, work}: {seed: number; sources: readonly Uint8Array[]; work: Work},
): Promise<SandboxFile[]> {
  const {action, tiles = 1} = plan
  const orderedSources = action === undefined ? sources : sources.toReversed()
  const [source] = orderedSources
  if (source === undefined && action !== undefined && !(action === 'generate' && plan.prompt !== ''))
    throw new MediaRefusal('bad_request', 'The image that this works on is not here any more.')
  const note = source && (await imageLabel(source))
  // an action has no prompt: it continues the image's own
  const prompt = plan.prompt || (note?.prompt ?? '')
  const isAgain = (action === 'reroll' || (action === 'generate' && plan.prompt === '')) && note?.isEdited === false
  const aspectRatio = (isAgain || plan.followsSource) && source ? await imageRatio(source) : plan.aspectRatio
  const full = {...plan, prompt, aspectRatio}
  const count = Math.min(mostImages, Math.max(1, Math.floor(plan.count)))
  const files: SandboxFile[] = []
  for (let index = 0; index < count; index += 1) {
    const own: SandboxFile[] = []
    for (let tile = 0; tile < tiles; tile += 1) {
      work.checkpoint()
      const at = seedAt(seed, index * tiles + tile)
      const isDrawn = source === undefined || isAgain
      own.push(isDrawn ? await drawImage(full, at) : await editImage(full, {seed: at, sources: orderedSources}))
      work.report(((index * tiles + own.length) / (count * tiles)) * 100)
    }
    files.push(...(tiles > 1 ? [await drawGrid(own)] : own))
  }
  return files
}
