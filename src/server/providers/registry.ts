import {setTimeout} from 'node:timers/promises'
import type {ServedModel} from '#contract/management.ts'
import {chatModels} from '#contract/models.ts'
import type {ModelGroupName} from '../config.ts'
import {describeError} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Provider} from './provider.ts'

/** Maps models to providers. A model has exactly one; no other is asked instead. */
export type ProviderRegistry = {
  /** All offered models, and those of the specification without a provider, disabled with the reason. */
  models: () => Promise<readonly ServedModel[]>
  /** The provider that serves `model`, or `undefined`. A model not seen yet causes one fresh look. */
  find: (model: string) => Promise<Provider | undefined>
  /** Whether the sandbox is all there is, as of the last look. */
  isSandboxOnly: () => boolean
}

export type RegistryOptions = {
  /** In order of preference: the first that serves a model keeps it. */
  configured: readonly {provider: Provider; groups: readonly ModelGroupName[]}[]
  /** Local servers as found now; asked again at each look, since people start and stop them. */
  detect: () => Promise<readonly Provider[]>
  sandbox: Provider | undefined
  now: () => Date
  log: Log
  /** Milliseconds after which a known list is read again. */
  patience?: number
}

const freshMilliseconds = 60_000
const shortestPause = 5_000
const lookDeadline = 15_000
/** The first look holds up everybody; a provider that is slower than this is found by the next one. */
const firstLookDeadline = 4_000
const defaultPatience = 1_500

type Look = {
  models: readonly ServedModel[]
  providers: ReadonlyMap<string, Provider>
  at: number
  sandboxOnly: boolean
  /** Every provider named its models. */
  isWhole: boolean
}

export function createProviderRegistry(options: RegistryOptions): ProviderRegistry {
  const {configured, detect, sandbox, now, log, patience = defaultPatience} = options
  const lastKnown = new Map<string, readonly ServedModel[]>()
  let looking: Promise<Look> | undefined
  let latest: Look | undefined

  /** A provider that cannot list its models now keeps its last list: its failure shows when a model is asked. */
  const modelsOf = async (provider: Provider) => {
    try {
      const models = await provider.models(AbortSignal.timeout(latest === undefined ? firstLookDeadline : lookDeadline))
      lastKnown.set(provider.name, models)
      return {provider, models, isListed: true}
    } catch (error) {
      log.warn('a provider does not list its models', {provider: provider.name, ...describeError(error)})
      return {provider, models: lastKnown.get(provider.name) ?? [], isListed: false}
    }
  }

  const look = async (): Promise<Look> => {
    const local = await detect()
    const all = [...configured.map(({provider}) => provider), ...local, ...(sandbox === undefined ? [] : [sandbox])]
    const lists = await Promise.all(all.map(modelsOf))
    const providers = new Map<string, Provider>()
    const models: ServedModel[] = []
    for (const {provider, models: servedModels} of lists)
      for (const model of servedModels) {
        if (providers.has(model.name)) continue
        providers.set(model.name, provider)
        models.push(model)
      }
    for (const model of chatModels) if (!providers.has(model.name)) models.push(absent(model))
    const sandboxOnly = [...providers.values()].every((provider) => provider.kind === 'sandbox')
    return {models, providers, at: now().getTime(), sandboxOnly, isWhole: lists.every(({isListed}) => isListed)}
  }

  const absent = ({name, modelGroup, isFileSupported, isImageSupported}: (typeof chatModels)[number]): ServedModel => {
    const owner = configured.find(({groups}) => groups.includes(modelGroup))
    return {
      name,
      group: modelGroup,
      provider: owner?.provider.name ?? 'none',
      enabled: false,
      disabled: owner === undefined ? 'not_configured' : 'not_served',
      isFileSupported,
      isImageSupported,
    }
  }

  const fresh = async (longestAge: number): Promise<Look> => {
    // a provider that was silent is asked again soon
    const age = latest?.isWhole === false ? shortestPause : longestAge
    if (latest !== undefined && now().getTime() - latest.at < age) return latest
    looking ??= look().finally(() => {
      looking = undefined
    })
    latest = await looking
    return latest
  }

  /** In the background: keeps the list current without making anybody wait. */
  const renew = () =>
    fresh(freshMilliseconds).catch((error: unknown) => log.warn('looking for models failed', describeError(error)))

  /** While a provider hangs, requests get its last known models. */
  const current = async (): Promise<Look> => {
    const lastLook = latest
    if (lastLook === undefined) return await fresh(freshMilliseconds)
    const renewal = renew()
    return (await Promise.race([renewal, setTimeout(patience, undefined, {ref: false})])) ?? lastLook
  }

  return {
    models: async () => (await current()).models,
    find: async (model) => {
      const lastProvider = latest?.providers.get(model)
      if (lastProvider !== undefined) {
        void renew()
        return lastProvider
      }
      return (await fresh(shortestPause)).providers.get(model)
    },
    isSandboxOnly: () => latest?.sandboxOnly ?? configured.length === 0,
  }
}
