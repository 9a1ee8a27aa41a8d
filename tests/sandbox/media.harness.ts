import type {MediaPlan} from '#contract/media/media-tool.ts'
import {makeFiles} from '#sandbox/media/make-files.ts'
import type {SandboxFile, MediaJob, Work} from '#sandbox/media/media-job.ts'

export const planOf = (changes: Partial<MediaPlan> = {}): MediaPlan => ({
  medium: 'image',
  prompt: 'a paper boat at sunset',
  count: 1,
  aspectRatio: [1, 1],
  sources: [],
  ...changes,
})

type Options = Partial<Omit<MediaJob, 'plan'>> & {work?: Work}

/** Makes files in this thread, as the worker does. */
export const make = (
  changes: Partial<MediaPlan> = {},
  {work = {report: () => {}, checkpoint: () => {}}, ...more}: Options = {},
): Promise<SandboxFile[]> => makeFiles({plan: planOf(changes), seed: 7, sourceFiles: [], ...more}, work)

export const first = <Value>(values: readonly Value[]): Value => {
  const [value] = values
  if (value === undefined) throw new Error('nothing was made')
  return value
}
