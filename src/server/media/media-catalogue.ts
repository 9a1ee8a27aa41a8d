import type {MediaTool} from '#contract/media/media-tool.ts'
import type {MediaCatalogue} from '../platform/media-catalogue.ts'
import {apiName, serviceApisOf} from '../platform/service-apis.ts'
import type {MediaRegistry} from '../providers/media-registry.ts'
import {estimate} from './estimate.ts'
import {priceRulesOf} from './task-price.ts'

/** Our extensions of the wire for media tools (docs/architecture.md). */
const mediaCapabilities = ['idempotency', 'async', 'delete'] as const

/**
 * The offer of each tool: its price rules (the operator's, where stored), our extensions, and who would make it now. A
 * tool without a provider is not `available`, with the reason; one that the sandbox makes says so.
 */
export function createMediaCatalogue(tools: readonly MediaTool[], registry: MediaRegistry): MediaCatalogue {
  const toolOf = (serviceId: string) => tools.find(({identity}) => identity.serviceId === serviceId)
  const isFree = (provider: ReturnType<MediaRegistry['find']>) =>
    provider !== undefined && (provider.local || provider.kind === 'sandbox')
  return {
    has: (serviceId) => toolOf(serviceId) !== undefined,
    apis: serviceApisOf(tools),
    metadataOf: (serviceId, storedMetadata) => {
      const tool = toolOf(serviceId)
      if (tool === undefined) return storedMetadata
      const provider = registry.find(tool.identity.id)
      return {
        ...storedMetadata,
        price: priceRulesOf(tool, storedMetadata),
        capabilities: [...mediaCapabilities],
        available: provider !== undefined,
        ...(provider === undefined ? {disabled: 'not_configured'} : {provider: provider.name}),
        sandbox: provider?.kind === 'sandbox',
        /** Local servers cost nothing, whatever the rules say. */
        free: isFree(provider),
      }
    },
    estimationOf: ({name, service_id: serviceId}, storedEstimation) => {
      const tool = serviceId == null ? undefined : toolOf(serviceId)
      if (tool === undefined) return []
      const provider = registry.find(tool.identity.id)
      if (provider === undefined || isFree(provider)) return []
      const first = estimate(tool, priceRulesOf(tool, storedEstimation))
      return first !== undefined && name === apiName(tool, first.operation) ? [first.estimation] : []
    },
  }
}
