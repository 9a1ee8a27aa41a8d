import {importCapability} from '#contract/imports.ts'
import {chatCapabilities} from '#contract/management.ts'
import type {ProvidersConfig} from '../config.ts'
import type {ChatCatalogue} from '../platform/chat-catalogue.ts'
import type {ProviderRegistry} from '../providers/registry.ts'

/**
 * What chat offers right now, for `service.metadata`: the models that would answer, our extensions of the wire, and
 * whether the sandbox is all there is. Looks are shared and kept for a minute (`providers/registry.ts`).
 */
export function createChatCatalogue(
  registry: ProviderRegistry,
  {namesConversations}: Pick<ProvidersConfig, 'namesConversations'>,
): ChatCatalogue {
  return {
    models: registry.models,
    capabilities: [
      ...chatCapabilities.filter((capability) => capability !== 'naming' || namesConversations),
      importCapability,
    ],
    get sandbox() {
      return registry.isSandboxOnly()
    },
  }
}
