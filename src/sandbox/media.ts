import type {ErrorKind} from '#domain/error-kinds.ts'
import {imageActionNames} from '#contract/media/media-image-actions.ts'
import type {MediaPlan, Medium} from '#contract/media/media-tool.ts'
import type {MadeFile, MediaAsk, MediaProvider} from '#server/providers/media-provider.ts'
import {ProviderFailure, type StoredFile} from '#server/providers/provider.ts'
import {kindOf} from './media/sources.ts'
import {makeMedia, sandboxFault} from './media/make-media.ts'

/** Failures that refuse the request, instead of ending its task. */
const saidAtOnce: readonly (ErrorKind | 'forbidden')[] = [
  'used_up',
  'not_applied',
  'duplication',
  'too_many_requests',
  'content_too_large',
]

/** Supported actions beside making something new; others of a plan are refused. */
const servedMedia: Record<Medium, readonly string[]> = {
  image: imageActionNames,
  video: ['extend', 'get1080p', 'mp4'],
  audio: ['generate', 'upload', 'extend', 'upload_extend', 'cover', 'upload_cover', 'stems', 'concat'],
  text: ['describe', 'lyrics'],
}

/** The sentence for a request that the sandbox cannot fulfil. */
function refusalOf({action, medium, sourceId, sources}: MediaPlan): string | undefined {
  if (action === undefined) return undefined
  if (!servedMedia[medium].includes(action)) return `The sandbox cannot do "${action}".`
  const isLost = action === 'extend' && sourceId === undefined && sources.length === 0
  return isLost ? 'Name the result that is to be extended.' : undefined
}

/**
 * The media provider without dependencies: real files, made here without a model, free of charge, and labelled. Used
 * only if no other provider is configured. An interrupted run starts again.
 */
export function createSandboxMedia() {
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
  } satisfies MediaProvider
}

async function makeFiles(ask: MediaAsk, sources: readonly StoredFile[]): Promise<readonly MadeFile[]> {
  const {plan, signal, onProgress} = ask
  const [first] = sources
  if (plan.action === 'upload' && first !== undefined) {
    const file = await first.read()
    const {type, name} = first
    const fileFacts = {medium: plan.medium, file, type, name, title: name.replace(/(?<=.)\.[^.]*$/, '')}
    if (kindOf(file) !== 'song') return [fileFacts]
    const [recording] = await makeMedia(plan, {signal, onProgress, sourceFiles: [file]})
    return [{...recording, ...fileFacts}]
  }
  const sourceFiles: Uint8Array[] = []
  for (const source of sources) sourceFiles.push(await source.read())
  return makeMedia(plan, {signal, onProgress, sourceFiles})
}
