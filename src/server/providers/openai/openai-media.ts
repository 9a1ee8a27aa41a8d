import type {MediaPlan, MediaTool, Medium} from '#contract/media/media-tool.ts'
import type {ProviderConfig} from '../../config.ts'
import type {Log} from '../../log.ts'
import type {MediaProvider} from '../media-provider.ts'
import type {OutboundPorts} from '../outbound.ts'
import {ProviderFailure} from '../provider.ts'
import {wordsIn} from './media-request.ts'
import {makeImages} from './openai-images.ts'
import {makeVideo} from './openai-videos.ts'
import {unsentField} from './unsent-field.ts'

const servedMedia: readonly Medium[] = ['image', 'video']

/**
 * Images and videos of a server that speaks OpenAI's images API (generations and edits) and its video job API, which
 * outlived OpenAI's own service: SGLang, Aquiles, LocalAI, new-api, Azure (backends 2.4, 2.5). Which tools it makes,
 * and with which model, is the operator's word (`media`).
 */
export function createOpenaiMedia(
  config: ProviderConfig,
  {log, ports}: {log: Log; ports: OutboundPorts},
): MediaProvider {
  return {
    name: config.name,
    kind: 'openai',
    local: config.local,
    isRepeatable: false,
    sources: 'read',
    origin: new URL(config.baseUrl).origin,
    check: (tool, plan, {operation, body}) => {
      const refusal = refusalOf(config, tool, plan)
      if (refusal !== undefined) throw new ProviderFailure('bad_request', `${config.name} ${refusal}.`)
      const field = unsentField(tool, operation, body)
      if (field !== undefined)
        throw new ProviderFailure(
          'bad_request',
          `${config.name} knows nothing of ${field}: leave it at what it is without.`,
          {field},
        )
    },
    make: async (ask) => {
      const model = config.media?.[ask.tool.identity.id]
      if (model === undefined)
        throw new ProviderFailure('bad_request', `${config.name} does not make what ${ask.tool.identity.name} makes.`)
      const parts = {upstream: config, model, ports, log, isFree: config.local}
      const files = ask.plan.medium === 'video' ? [await makeVideo(parts, ask)] : await makeImages(parts, ask)
      return {kind: 'files', files: files.map((file) => ({...file, isFinal: true})), model}
    },
  }
}

/** Names a wish of the plan that these servers do not fulfil, as the end of a sentence about one of them. */
function refusalOf({media}: ProviderConfig, {identity}: MediaTool, plan: MediaPlan): string | undefined {
  if (!servedMedia.includes(plan.medium)) return 'makes images and videos only'
  if (plan.action !== undefined)
    return 'makes new images and videos, with images of yours if you like; it cannot work on a result any further'
  if (plan.medium === 'video' && plan.sources.length > 1) return 'takes one image for a video: the one it starts with'
  if (wordsIn(plan).trim() === '') return 'needs words for what it is to make'
  if (plan.code !== undefined) return 'makes no images that can be scanned'
  return media?.[identity.id] === undefined ? `does not make what ${identity.name} makes` : undefined
}
