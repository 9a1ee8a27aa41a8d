import {isIP} from 'node:net'
import {resolve} from 'node:path'
import {z} from '#contract/schema.ts'
import type {Config, ConfiguredPrice} from './config.ts'
import {groupVariables, priceSchema, providerSchema, readProviders, type FileProvider} from './config-providers.ts'
import {filesSettingNames, readFiles} from './config-files.ts'
import {packagesSchema, readPayments} from './config-payments.ts'
import {
  checkAddress,
  isLoopback,
  list,
  readChoice,
  readDecimal,
  readFactor,
  readLevels,
  readOrigin,
  readSwitch,
  readText,
  readWhole,
  type Source,
} from './config-values.ts'
import {isReachable} from './is-reachable.ts'
import {readNamedFile} from './read-named-file.ts'
import {StartFailure} from './start-failure.ts'

/** Every name that may stand in the environment and in CONFIG_FILE. */
export const settingNames = [
  'PORT',
  'HEALTH_PORT',
  'HOST',
  'PUBLIC_ORIGINS',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REQUEST_DATABASE_URL',
  'ROLE',
  'DRAIN_SECONDS',
  'MODE',
  'LOGIN_FLOW',
  'REGISTRATION',
  'AUTH_ORIGIN',
  'PLATFORM_ORIGIN',
  'API_ORIGIN',
  'SECRET',
  'TRUSTED_PROXIES',
  'FREE_CREDITS',
  'DISTRIBUTION_LEVELS',
  'FILE_QUOTA',
  ...filesSettingNames,
  'EXCHANGE_RATES_FILE',
  'LIMIT_FACTOR',
  'SANDBOX',
  'DETECT_LOCAL',
  'NAME_CONVERSATIONS',
  'CALLBACK_ORIGINS',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_BASE_URL',
  'SANDBOX_PAYMENTS',
  'ORDER_MINUTES',
  'ACEDATA_BASE_URL',
  'ACEDATA_API_KEY',
  ...groupVariables.flatMap(({prefix}) => [
    `${prefix}_BASE_URL`,
    `${prefix}_API_KEY`,
    `${prefix}_MODELS`,
    `${prefix}_MEDIA`,
  ]),
]

const fileSchema = z.strictObject({
  ...Object.fromEntries(
    settingNames.map((name) => [name, z.optional(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))]),
  ),
  providers: z.optional(z.array(providerSchema)),
  prices: z.optional(z.record(z.string(), priceSchema)),
  defaultPrice: z.optional(priceSchema),
  packages: z.optional(packagesSchema),
})
type ConfigFile = {
  settings: Record<string, string>
  providers: FileProvider[]
  prices: Record<string, ConfiguredPrice>
  defaultPrice: ConfiguredPrice | undefined
  packages: z.infer<typeof packagesSchema> | undefined
}

/**
 * The settings of this start: the environment, over the JSON file that `CONFIG_FILE` names, over the defaults. Throws
 * `StartFailure` with a sentence that names the variable, the expected value and, unless it is a secret, the present
 * one.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const file = readConfigFile(environment['CONFIG_FILE'])
  const source = (name: string): Source => ({
    name,
    text: readText({name, text: environment[name]}) ?? readText({name, text: file.settings[name]}),
  })
  const text = (name: string) => source(name).text

  const {host, publicOrigins} = readHost(text)
  const port = readWhole(source('PORT'), 4000, 1, 65_535)
  const {databaseUrl, databaseDirectUrl, requestDatabaseUrl} = readDatabaseUrls(text)
  const role = readRole(source('ROLE'), databaseUrl)
  const secret = readSecret(text('SECRET'), databaseUrl)
  const serviceOrigins = readServiceOrigins(text, [
    ...publicOrigins,
    ...['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${port}`),
  ])
  const providers = readProviders(file.providers, text)
  return {
    port,
    host,
    publicOrigins,
    serviceOrigins,
    dataDir: resolve(text('DATA_DIR') ?? '.data'),
    databaseUrl,
    databaseDirectUrl,
    requestDatabaseUrl,
    drainSeconds: readWhole(source('DRAIN_SECONDS'), 4, 0, 600),
    role,
    healthPort: text('HEALTH_PORT') === undefined ? undefined : readWhole(source('HEALTH_PORT'), 0, 1, 65_535),
    mode: readChoice(source('MODE'), 'production', ['production', 'test', 'development']),
    loginFlow: readChoice(source('LOGIN_FLOW'), 'redirect', ['redirect', 'popup']),
    registration: readChoice(
      source('REGISTRATION'),
      isReachable({host, publicOrigins, serviceOrigins}) ? 'closed' : 'open',
      ['open', 'closed'],
    ),
    secret,
    trustedProxies: list(text('TRUSTED_PROXIES')).map(checkAddress),
    fileQuotaBytes: readWhole(source('FILE_QUOTA'), 1_073_741_824, 0, Number.MAX_SAFE_INTEGER),
    files: readFiles(source, publicOrigins),
    freeCredits: readDecimal(source('FREE_CREDITS'), '10'),
    distributionLevels: readLevels(source('DISTRIBUTION_LEVELS'), '0:10,500:12,2000:15'),
    limitFactor: readFactor(source('LIMIT_FACTOR')),
    exchangeRatesFile: text('EXCHANGE_RATES_FILE'),
    callbackOrigins: list(text('CALLBACK_ORIGINS')).map((item) => readOrigin('CALLBACK_ORIGINS', item)),
    providers: {
      sandbox: readSwitch(source('SANDBOX'), true),
      providers,
      prices: file.prices,
      defaultPrice: file.defaultPrice ?? {prompt: '0.01', completion: '0.03', answerCap: 4096},
      detectLocal: readSwitch(source('DETECT_LOCAL'), true),
      namesConversations: readSwitch(source('NAME_CONVERSATIONS'), true),
    },
    payments: readPayments(
      source,
      file.packages,
      providers.some(({local}) => !local),
    ),
  }
}

/** The position where the parser stopped, if it says that by a number. */
function positionOf({message}: SyntaxError): string {
  const position = /position (\d+)/.exec(message)?.[1]
  return position === undefined ? '' : ` at character ${Number(position) + 1}`
}

function readConfigFile(path: string | undefined): ConfigFile {
  if (!path) return {settings: {}, providers: [], prices: {}, defaultPrice: undefined, packages: undefined}
  const text = readNamedFile('CONFIG_FILE', path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // the parser's sentence quotes the file, which may hold keys (security R26)
    throw new StartFailure(`CONFIG_FILE (${path}) is not valid JSON${positionOf(error)}.`)
  }
  const result = z.safeParse(fileSchema, value)
  if (!result.success) {
    const [issue] = result.error.issues
    const setting = [
      ...(issue?.path ?? []),
      ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []),
    ].join('.')
    const what = issue?.code === 'unrecognized_keys' ? 'is not a setting' : 'has a wrong value'
    if (setting === '')
      throw new StartFailure(`CONFIG_FILE (${path}) must be an object of settings, such as {"PORT": 4000}.`)
    throw new StartFailure(
      `CONFIG_FILE (${path}): ${setting} ${what}. See docs/configuration.md and docs/operating.md.`,
    )
  }
  const {providers = [], prices = {}, defaultPrice, packages, ...settings} = result.data
  return {
    settings: Object.fromEntries(
      Object.entries(settings).flatMap(([name, setting]) => {
        const text = settingText(setting)
        return text === undefined ? [] : [[name, text]]
      }),
    ),
    providers,
    prices,
    defaultPrice,
    packages,
  }
}

type Texts = (name: string) => string | undefined

function readHost(text: Texts): Pick<Config, 'host' | 'publicOrigins'> {
  const host = text('HOST') ?? '127.0.0.1'
  if (/^[\d.]+$/.test(host) && isIP(host) === 0) {
    throw new StartFailure(`HOST must be a name or an address of this machine, not "${host}".`)
  }
  const publicOrigins = list(text('PUBLIC_ORIGINS')).map((item) => readOrigin('PUBLIC_ORIGINS', item))
  if (!isLoopback(host) && publicOrigins.length === 0) {
    throw new StartFailure(
      `HOST is ${host}, which other machines reach: name the addresses people will type in PUBLIC_ORIGINS, such as http://nas.lan:4000.`,
    )
  }
  return {host, publicOrigins}
}

function readDatabaseUrls(text: Texts): Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'requestDatabaseUrl'> {
  const databaseUrl = readDatabaseUrl('DATABASE_URL', text)
  const databaseDirectUrl = readDatabaseUrl('DATABASE_DIRECT_URL', text)
  if (databaseDirectUrl !== undefined && databaseUrl === undefined) {
    throw new StartFailure('DATABASE_DIRECT_URL goes past the pooler that DATABASE_URL names: set both, or neither.')
  }
  return {databaseUrl, databaseDirectUrl, requestDatabaseUrl: readDatabaseUrl('REQUEST_DATABASE_URL', text)}
}

function readRole(source: Source, databaseUrl: string | undefined): Config['role'] {
  const role = readChoice(source, 'all', ['all', 'api', 'worker'])
  if (role !== 'all' && databaseUrl === undefined) {
    throw new StartFailure(
      `ROLE=${role} needs DATABASE_URL: the embedded database belongs to one process, so no other could ${role === 'api' ? 'run the answers that this one takes' : 'take the questions that this one runs'}.`,
    )
  }
  return role
}

function readSecret(secret: string | undefined, databaseUrl: string | undefined): string | undefined {
  if (secret !== undefined && secret.length < 32) {
    throw new StartFailure('SECRET must have at least 32 characters. Make one with: openssl rand -base64 32')
  }
  if (secret === undefined && databaseUrl !== undefined) {
    throw new StartFailure(
      'DATABASE_URL needs SECRET, the same on all nodes. A server that ran without it has its own in DATA_DIR/secret; else make one with: openssl rand -base64 32',
    )
  }
  return secret
}

function readDatabaseUrl(name: string, text: Texts): string | undefined {
  const value = text(name)
  if (value === undefined || (URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol))) return value
  throw new StartFailure(`${name} must be a PostgreSQL address, such as postgresql://atrium:password@db.lan/atrium.`)
}

function readServiceOrigins(text: Texts, pages: readonly string[]): Config['serviceOrigins'] {
  const owners = new Map(pages.map((origin) => [origin, 'the page']))
  const read = (name: string) => {
    const value = text(name)
    if (value === undefined) return undefined
    const origin = readOrigin(name, value)
    const owner = owners.get(origin)
    if (owner !== undefined) throw new StartFailure(`${name} must be an origin of its own: ${origin} is ${owner}'s.`)
    owners.set(origin, name)
    return origin
  }
  return {auth: read('AUTH_ORIGIN'), platform: read('PLATFORM_ORIGIN'), api: read('API_ORIGIN')}
}

/** A setting of the file as the environment would have it; the schema lets nothing else through. */
function settingText(setting: unknown): string | undefined {
  if (Array.isArray(setting)) return setting.join(',')
  if (typeof setting === 'number' || typeof setting === 'boolean') return String(setting)
  return typeof setting === 'string' ? setting : undefined
}
