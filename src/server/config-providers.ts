import {z} from '#contract/schema.ts'
import type {ProviderConfig} from './config.ts'
import {isLoopback, list, readBaseUrl} from './config-values.ts'
import {StartFailure} from './start-failure.ts'

export const groupVariables = [
  {prefix: 'OPENAI', group: 'chatgpt', baseUrl: 'https://api.openai.com/v1'},
  {prefix: 'DEEPSEEK', group: 'deepseek', baseUrl: 'https://api.deepseek.com/v1'},
  {prefix: 'XAI', group: 'grok', baseUrl: 'https://api.x.ai/v1'},
] as const
const acedataBaseUrl = 'https://api.acedata.cloud'

const decimal = z.string().check(z.regex(/^\d{1,12}(\.\d{1,6})?$/))
export const priceSchema = z.strictObject({
  prompt: decimal,
  completion: decimal,
  answerCap: z.int().check(z.minimum(1), z.maximum(1_000_000)),
})
const groups = z.array(z.enum(['chatgpt', 'deepseek', 'grok'])).check(z.minLength(1))
export const providerSchema = z.strictObject({
  name: z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]{0,39}$/)),
  kind: z._default(z.enum(['openai', 'acedata']), 'openai'),
  baseUrl: z.string(),
  apiKey: z.optional(z.string()),
  groups: z._default(groups, ['chatgpt']),
  models: z._default(z.array(z.string().check(z.minLength(1))), []),
  local: z.optional(z.boolean()),
})
export type FileProvider = z.infer<typeof providerSchema>

const isLocalAddress = (baseUrl: string) => isLoopback(new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''))

const fromFile = (entry: FileProvider, index: number): ProviderConfig => {
  const baseUrl = readBaseUrl(`CONFIG_FILE providers.${index}.baseUrl`, entry.baseUrl)
  return {...entry, baseUrl, apiKey: entry.apiKey, local: entry.local ?? isLocalAddress(baseUrl)}
}

/** A key alone means the maker's own address; an address alone, a server that needs no key. */
function fromVariables(
  {prefix, group, baseUrl: usual}: (typeof groupVariables)[number],
  text: (name: string) => string | undefined,
): ProviderConfig[] {
  const apiKey = text(`${prefix}_API_KEY`)
  const address = text(`${prefix}_BASE_URL`)
  const models = list(text(`${prefix}_MODELS`))
  if (apiKey === undefined && address === undefined) {
    if (models.length > 0)
      throw new StartFailure(`${prefix}_MODELS needs ${prefix}_API_KEY or ${prefix}_BASE_URL beside it.`)
    return []
  }
  const baseUrl = readBaseUrl(`${prefix}_BASE_URL`, address ?? usual)
  return [
    {
      name: prefix.toLowerCase(),
      kind: 'openai',
      baseUrl,
      apiKey,
      groups: [group],
      models,
      local: isLocalAddress(baseUrl),
    },
  ]
}

function fromAcedata(text: (name: string) => string | undefined): ProviderConfig[] {
  const apiKey = text('ACEDATA_API_KEY')
  const address = text('ACEDATA_BASE_URL')
  if (apiKey === undefined) {
    if (address !== undefined) throw new StartFailure('ACEDATA_BASE_URL needs ACEDATA_API_KEY beside it.')
    return []
  }
  const baseUrl = readBaseUrl('ACEDATA_BASE_URL', address ?? acedataBaseUrl)
  return [
    {
      name: 'acedata',
      kind: 'acedata',
      baseUrl,
      apiKey,
      groups: ['chatgpt', 'deepseek', 'grok'],
      models: [],
      local: false,
    },
  ]
}

/** All back ends: those of CONFIG_FILE, then one a group from the environment. Throws `StartFailure`. */
export function readProviders(
  fromConfigFile: readonly FileProvider[],
  text: (name: string) => string | undefined,
): ProviderConfig[] {
  const providers = [
    ...fromConfigFile.map(fromFile),
    ...groupVariables.flatMap((one) => fromVariables(one, text)),
    ...fromAcedata(text),
  ]
  const seen = new Set(['sandbox'])
  for (const {name} of providers) {
    if (seen.has(name))
      throw new StartFailure(`CONFIG_FILE: two providers are named ${name}. Give each a name of its own.`)
    seen.add(name)
  }
  return providers
}
