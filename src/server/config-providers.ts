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
const groups = z.array(z.enum(['chatgpt', 'deepseek', 'grok']))
export const providerSchema = z.strictObject({
  name: z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]{0,39}$/)),
  kind: z._default(z.enum(['openai', 'acedata']), 'openai'),
  baseUrl: z.string(),
  apiKey: z.optional(z.string()),
  groups: z._default(groups, ['chatgpt']),
  models: z._default(z.array(z.string().check(z.minLength(1))), []),
  local: z.optional(z.boolean()),
  media: z.optional(z.record(z.string(), z.string().check(z.minLength(1)))),
})
export type FileProvider = z.infer<typeof providerSchema>

const isLocalAddress = (baseUrl: string) => isLoopback(new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''))

const fromFile = (entry: FileProvider, index: number): ProviderConfig => {
  const baseUrl = readBaseUrl(`CONFIG_FILE providers.${index}.baseUrl`, entry.baseUrl)
  const apiKey = readKey(`CONFIG_FILE providers.${index}.apiKey`, entry.apiKey)
  return {...entry, baseUrl, apiKey, local: entry.local ?? isLocalAddress(baseUrl)}
}

/** `OPENAI_MEDIA=flux=gpt-image-2, sora=wan2.2`: which media tools the server makes, each with the model to ask. */
function readMedia(name: string, value: string | undefined): Record<string, string> | undefined {
  const entries = list(value).map((item) => {
    const [, tool, model] = /^([a-z0-9-]+)\s*=\s*(\S+)$/.exec(item) ?? []
    if (tool === undefined || model === undefined)
      throw new StartFailure(`${name} must be tools with their models, such as flux=gpt-image-2, not "${item}".`)
    return [tool, model] as const
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** A key travels in a header: another character would fail every request instead of the start. It is not repeated. */
function readKey(name: string, value: string | undefined): string | undefined {
  if (value !== undefined && !/^[\x21-\x7e]+$/.test(value))
    throw new StartFailure(
      `${name} has a space or a character that is not ASCII: copy the key again, without quotes or line breaks.`,
    )
  return value
}

/** A key alone means the maker's own address; an address alone, a server that needs no key. */
function fromVariables(
  {prefix, group, baseUrl: usual}: (typeof groupVariables)[number],
  text: (name: string) => string | undefined,
): ProviderConfig[] {
  const apiKey = readKey(`${prefix}_API_KEY`, text(`${prefix}_API_KEY`))
  const address = text(`${prefix}_BASE_URL`)
  const models = list(text(`${prefix}_MODELS`))
  const media = readMedia(`${prefix}_MEDIA`, text(`${prefix}_MEDIA`))
  if (apiKey === undefined && address === undefined) {
    if (media !== undefined)
      throw new StartFailure(`${prefix}_MEDIA needs ${prefix}_API_KEY or ${prefix}_BASE_URL beside it.`)
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
      media,
    },
  ]
}

function fromAcedata(text: (name: string) => string | undefined): ProviderConfig[] {
  const apiKey = readKey('ACEDATA_API_KEY', text('ACEDATA_API_KEY'))
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
  const names = new Set(['sandbox'])
  for (const {name} of providers) {
    if (names.has(name))
      throw new StartFailure(`CONFIG_FILE: two providers are named ${name}. Give each a name of its own.`)
    names.add(name)
  }
  return providers
}
