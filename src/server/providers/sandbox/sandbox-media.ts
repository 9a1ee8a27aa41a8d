import type {ErrorKind} from '#domain/error-kinds.ts'
import {pictureActionNames} from '#contract/media/media-picture-actions.ts'
import type {MediaPlan, Medium} from '#contract/media/media-tool.ts'
import type {MadeFile, MediaAsk, MediaProvider} from '../media-provider.ts'
import {ProviderFailure, type StoredFile} from '../provider.ts'
import {kindOf} from './media/sources.ts'
import {makeGrid, makeMedia, sandboxFault, type PictureEdit} from './media/make-media.ts'

/** Failures that a service says before it takes a request, instead of as the end of a task. */
const saidAtOnce: readonly (ErrorKind | 'forbidden')[] = [
  'used_up',
  'not_applied',
  'duplication',
  'too_many_requests',
  'content_too_large',
]

/** What can be asked for beside something new; whatever a tool's plan calls otherwise is refused. */
const served: Record<Medium, readonly string[]> = {
  image: pictureActionNames,
  video: ['extend', 'get1080p', 'mp4'],
  audio: ['generate', 'upload', 'extend', 'upload_extend', 'cover', 'upload_cover', 'stems', 'concat'],
  text: ['describe', 'lyrics'],
}

/** The sentence for what the sandbox cannot make. */
function refusalOf({action, medium, sourceId, sources}: MediaPlan): string | undefined {
  if (action === undefined) return undefined
  if (!served[medium].includes(action)) return `The sandbox cannot do "${action}".`
  const isLost = action === 'extend' && sourceId === undefined && sources.length === 0
  return isLost ? 'Name the result that is to be extended.' : undefined
}

/**
 * The provider of media that needs nothing: real files, made here without any model, free of charge, and labelled. It is
 * asked only where no other provider is configured. A run that was cut off is begun anew.
 */
export function createSandboxMedia(): MediaProvider {
  return {
    name: 'sandbox',
    kind: 'sandbox',
    local: true,
    isRepeatable: true,
    sources: 'read',
    check: (_tool, plan) => {
      const refusal = refusalOf(plan)
      if (refusal !== undefined) throw new ProviderFailure('bad_request', refusal)
      const fault = sandboxFault(plan.prompt)
      if (fault && saidAtOnce.includes(fault.code)) throw new ProviderFailure(fault.code, fault.detail)
    },
    make: async (ask) => ({kind: 'files', files: await makeFiles(ask, await ask.sourceFiles())}),
  }
}

async function makeFiles(ask: MediaAsk, sources: readonly StoredFile[]): Promise<readonly MadeFile[]> {
  const {plan, signal, onProgress} = ask
  const [first] = sources
  if (plan.action === 'upload' && first !== undefined) {
    const file = await first.read()
    const {type, name} = first
    const kept = {medium: plan.medium, file, type, name, title: name.replace(/(?<=.)\.[^.]*$/, '')}
    if (kindOf(file) !== 'song') return [kept]
    const [recording] = await makeMedia(plan, {signal, onProgress, sourceFiles: [file]})
    return [{...recording, ...kept}]
  }
  const sourceFiles: Uint8Array[] = []
  for (const source of sources) sourceFiles.push(await source.read())
  const edit = plan.action === undefined ? undefined : editOf(plan.action, plan.prompt)
  // the result that is worked on comes last, after references of the prompt
  if (edit !== undefined) sourceFiles.reverse()
  const {tiles = 1} = plan
  if (plan.medium !== 'image' || tiles < 2) return makeMedia(plan, {signal, onProgress, sourceFiles, edit})
  const grids: MadeFile[] = []
  for (let index = 0; index < plan.count; index += 1) {
    const report = (percent: number) => onProgress(Math.round((index * 100 + percent) / plan.count))
    const pictures = await makeMedia({...plan, count: tiles}, {signal, onProgress: report, sourceFiles, edit})
    const grid = await makeGrid(
      pictures.map(({file}) => file),
      {signal},
    )
    grids.push({...grid, seed: pictures[0]?.seed})
  }
  return grids
}

/** What the tools' words for working on a picture mean; with new words it is edited after these. */
function editOf(action: string, prompt: string): PictureEdit | undefined {
  if (action === 'reroll' || (action === 'generate' && prompt.trim() === '')) return {kind: 'again'}
  const cell = Number(/^(?:upscale|variation)(\d)$/.exec(action)?.[1] ?? Number.NaN)
  if (Number.isInteger(cell))
    return action.startsWith('upscale')
      ? {kind: 'upscale', factor: 2, cell}
      : {kind: 'variation', strength: 'strong', cell}
  if (action.startsWith('variation'))
    return {kind: 'variation', strength: action.endsWith('subtle') ? 'subtle' : 'strong'}
  // of what was enlarged already, in the same size
  if (action.startsWith('redo_upscale')) return {kind: 'upscale', factor: 1}
  if (/upscale/.test(action)) return {kind: 'upscale', factor: action.endsWith('4x') ? 4 : 2}
  if (action.startsWith('zoom_out')) return {kind: 'zoom', factor: action.endsWith('2x') ? 2 : 1.5}
  if (action === 'square') return {kind: 'square'}
  const direction = (['left', 'right', 'up', 'down'] as const).find((side) => action === `pan_${side}`)
  return direction && {kind: 'pan', direction}
}
