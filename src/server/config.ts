import type {FilesConfig} from './config-files.ts'
import type {PaymentsConfig} from './config-payments.ts'

/** The server's settings after start-up checks; made by `readConfig`, never changed. All origins without a slash. */
export type Config = {
  port: number
  host: string
  /** Exact origins the installation is reached under beyond loopback. */
  publicOrigins: readonly string[]
  /** Own origins of single services (split layout); a service without one stands under `/services/<name>`. */
  serviceOrigins: Partial<Record<'auth' | 'platform' | 'api', string>>
  dataDir: string
  databaseUrl: string | undefined
  /** Past the pooler that `databaseUrl` names, if it is one. */
  databaseDirectUrl: string | undefined
  /** How requests log in to that database, where its owner may not make a login for them. */
  requestDatabaseUrl: string | undefined
  /** How long running work may continue after the signal to stop. */
  drainSeconds: number
  role: 'all' | 'api' | 'worker'
  /** The port where a worker answers `/healthz`, and nothing else. The other roles answer it on their port. */
  healthPort: number | undefined
  mode: 'production' | 'test' | 'development'
  loginFlow: 'redirect' | 'popup'
  /** Whether people may make accounts themselves. The first account is another matter: `auth/registration.ts`. */
  registration: 'open' | 'closed'
  secret: string | undefined
  trustedProxies: readonly string[]
  fileQuotaBytes: number
  files: FilesConfig
  freeCredits: string
  /** The levels of the referral programme, ascending: the percentage from a sum of sales (US dollars) on. First: 0. */
  distributionLevels: readonly {threshold: string; percentage: number}[]
  /** Multiplies every token bucket and concurrency bound; load tests raise it. */
  limitFactor: number
  exchangeRatesFile: string | undefined
  /** Origins at which `callback_url` of a media task may be called; any other is never called (security R27). */
  callbackOrigins: readonly string[]
  providers: ProvidersConfig
  payments: PaymentsConfig
}

export type ModelGroupName = 'chatgpt' | 'deepseek' | 'grok'
export type ProviderName = 'sandbox' | 'openai' | 'acedata'

/** One back end that answers for one model group (or for all). */
export type ProviderConfig = {
  name: string
  kind: Exclude<ProviderName, 'sandbox'>
  baseUrl: string
  apiKey: string | undefined
  groups: readonly ModelGroupName[]
  /** Models it serves; empty means: ask it. */
  models: readonly string[]
  local: boolean
  /** Media tools that it serves, by id, with the model to ask. Absent: none, and all of them for `acedata`. */
  media?: Readonly<Record<string, string>> | undefined
}

/** Credits per 1,000 tokens, exact decimals as text; `answerCap` is the answer's bound in tokens. */
export type ConfiguredPrice = {prompt: string; completion: string; answerCap: number}

export type ProvidersConfig = {
  sandbox: boolean
  providers: readonly ProviderConfig[]
  prices: Readonly<Record<string, ConfiguredPrice>>
  defaultPrice: ConfiguredPrice
  /** Look for Ollama, LM Studio and llama.cpp on their usual loopback ports at start. */
  detectLocal: boolean
  /** A model gives each conversation a title after its first answer, by one short call that is free for the user. */
  namesConversations: boolean
}
