import sharp from 'sharp'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {paint, svg} from './art/scenes.ts'
import {editPicture} from './edit-picture.ts'
import {MediaRefusal, type MadeFile, type PictureEdit, type Work} from './media-job.ts'
import {pictureFile, ratioOfPicture} from './picture-file.ts'
import {pictureNote} from './picture-note.ts'
import {pictureSize} from './sizes.ts'

/** More than any tool asks for at once. */
const mostPictures = 8

/** The seed of the picture at that place: the first is the plan's own; after the greatest comes 0. */
export function seedAt(seed: number, index: number): number {
  const room = Number.MAX_SAFE_INTEGER - seed
  return index <= room ? seed + index : index - room - 1
}

/** One picture from words. */
async function drawPicture(plan: MediaPlan, seed: number): Promise<MadeFile> {
  const {prompt, quality} = plan
  const size = pictureSize(plan)
  const painting = paint(prompt, seed, size)
  return pictureFile(sharp(svg(size, painting.layers)), size, {prompt, quality, label: {seed, style: painting.style}})
}

/** As many pictures as asked for: drawn from the prompt, or made from the source pictures. */
export async function makePictures(
  plan: MediaPlan,
  {seed, sources, edit, work}: {seed: number; sources: readonly Uint8Array[]; edit?: PictureEdit; work: Work},
): Promise<MadeFile[]> {
  const count = Math.min(mostPictures, Math.max(1, Math.floor(plan.count)))
  const [source] = sources
  if (source === undefined && edit !== undefined)
    throw new MediaRefusal('bad_request', 'The picture that this works on is not here any more.')
  const note = source && (await pictureNote(source))
  // an action has no words of its own: those of the picture go on with it
  const prompt = plan.prompt || (note?.prompt ?? '')
  const isAgain = edit?.kind === 'again' && note !== undefined && !note.isEdited
  const aspectRatio = (isAgain || plan.followsSource) && source ? await ratioOfPicture(source) : plan.aspectRatio
  const files: MadeFile[] = []
  for (let index = 0; index < count; index += 1) {
    work.checkpoint()
    const own = seedAt(seed, index)
    files.push(
      sources.length > 0 && !isAgain
        ? await editPicture({...plan, prompt, aspectRatio}, {seed: own, sources, edit: edit ?? {kind: 'edit'}})
        : await drawPicture({...plan, prompt, aspectRatio}, own),
    )
    work.report(((index + 1) / count) * 100)
  }
  return files
}
