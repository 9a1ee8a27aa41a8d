import {importCapability} from '#contract/imports.ts'
import {chatCapabilities} from '#contract/management.ts'
import type {ProvidersConfig} from '../config.ts'
import type {ChatCatalogue} from '../platform/chat-catalogue.ts'
import type {ProviderRegistry} from '../providers/registry.ts'
import {listedPrice} from './pricing.ts'

/**
 * The present offer of the chat, for `service.metadata`: the models that would answer, our extensions of the wire, and
 * whether the sandbox is all there is. Looks are shared and kept for a minute (`providers/registry.ts`).
 */
export function createChatCatalogue(registry: ProviderRegistry, config: ProvidersConfig): ChatCatalogue {
  return {
    models: async () => (await registry.models()).map((model) => ({...model, price: listedPrice(config, model)})),
    capabilities: [
      ...chatCapabilities.filter((capability) => capability !== 'naming' || config.namesConversations),
      importCapability,
    ],
    get sandbox() {
      return registry.isSandboxOnly()
    },
  }
}
