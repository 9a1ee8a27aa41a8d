import type {ProviderConfig, ProvidersConfig} from '../config.ts'
import type {Log} from '../log.ts'
import {createAcedataProvider} from './acedata/acedata-provider.ts'
import {withBreaker} from './breaker.ts'
import {detectLocalProviders} from './detect-local.ts'
import {createOpenaiProvider} from './openai/openai-provider.ts'
import type {Provider} from './provider.ts'
import {createProviderRegistry, type ProviderRegistry} from './registry.ts'

/** The registry of an installation, by its configuration. `sandbox` is left out where it is switched off. */
export function createProviders(
  config: ProvidersConfig,
  parts: {sandbox: Provider; now: () => Date; log: Log},
): ProviderRegistry {
  const {now, log} = parts
  const create = (entry: ProviderConfig): Provider =>
    withBreaker(
      entry.kind === 'acedata' ? createAcedataProvider(entry, {log}) : createOpenaiProvider(entry, {log}),
      now,
    )
  const providers = new Map<string, Provider>()
  /** A local server found again keeps its breaker. */
  const keep = (provider: Provider): Provider => {
    const keptProvider = providers.get(provider.name) ?? withBreaker(provider, now)
    providers.set(provider.name, keptProvider)
    return keptProvider
  }
  return createProviderRegistry({
    configured: config.providers
      .filter(({groups}) => groups.length > 0)
      .map((entry) => ({provider: create(entry), groups: entry.groups})),
    detect: async () => (config.detectLocal ? (await detectLocalProviders({log})).map(keep) : []),
    sandbox: config.sandbox ? parts.sandbox : undefined,
    now,
    log,
  })
}
