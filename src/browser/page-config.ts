import {pageConfig, type ForeignImages, type PageConfig} from '#contract/page-config.ts'
import type {Log} from '#domain/log.ts'
import type {ServiceBases} from '#domain/service-bases.ts'

/** The page's complete configuration. */
export type ClientConfig = ServiceBases & {
  mode: PageConfig['mode']
  siteOrigin?: string
  loginFlow: 'redirect' | 'popup'
  cookieDomain?: string
  /** Extensions that the auth service and the platform offer: `pkce`, `refresh`, `running`. */
  capabilities: readonly string[]
  /** Base address for callbacks of a foreign AI host. */
  callbackBase?: string
  /** Whether the page may load images of other hosts, and how; absent: it may. */
  foreignImages?: ForeignImages
}

/** The environment that Vite was built with. */
export type BuildEnvironment = Partial<
  Record<'VITE_BASE_URL_HUB' | 'VITE_BASE_URL_PLATFORM' | 'VITE_BASE_URL_AUTH' | 'VITE_BASE_URL_API', string>
> & {VITE_SURFACE?: string}

export type PageConfigSources = {
  page: Document
  environment: BuildEnvironment
  /** The production or test table for this page (`#domain/service-bases.ts`). */
  table: Omit<ServiceBases, 'hub'>
  log: Log
}

const trim = (url: string | null | undefined) => url?.replace(/(?<!\/)\/+$/, '') || undefined

/** The page cannot start. A wrong base URL must not fall back to another host, which would receive a token. */
export class PageConfigFailure extends Error {
  /** The service with the wrong base URL; none if the configuration is not a JSON object. */
  readonly key: keyof ServiceBases | undefined
  constructor(key?: keyof ServiceBases) {
    super(`The page configuration: ${key ?? 'no JSON object'}`)
    this.key = key
  }
}

const services = ['platform', 'auth', 'api', 'hub'] as const

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new PageConfigFailure()
  }
}

/** Reads key by key: an invalid value counts as absent, except for base URLs. */
function readScript({page, log}: PageConfigSources): PageConfig {
  const text = page.getElementById('config')?.textContent.trim()
  if (text === '') log('The page configuration is empty')
  const value = text ? parse(text) : {}
  const parsing = pageConfig.safeParse(value)
  if (parsing.success) return parsing.data
  const wrong = new Set(parsing.error.issues.map(({path}) => path[0]))
  if (!(value instanceof Object) || wrong.has(undefined)) throw new PageConfigFailure()
  const service = services.find((key) => wrong.has(key))
  if (service !== undefined) throw new PageConfigFailure(service)
  log('The page configuration is not valid', {keys: [...wrong]})
  return pageConfig.parse(Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key))))
}

/** A base URL that the page names: absolute, or a path of the page's own origin. */
function namedBase(key: keyof ServiceBases, {[key]: text}: PageConfig, {origin, href}: Location): string | undefined {
  if (text == null) return undefined
  const url = /^(https?:\/)?\//i.test(text) && URL.canParse(text, href) ? new URL(text, href) : undefined
  // no query, fragment, user name or password; and `//host` is not a path
  const isBase = url?.href === `${url?.origin}${url?.pathname}` && (!text.startsWith('/') || url.origin === origin)
  if (!isBase) throw new PageConfigFailure(key)
  return trim(url.href)
}

/**
 * Addresses of the services and the login flow: from `<script id="config">` of the page, else `VITE_BASE_URL_*` of the
 * build, else the table of the specification (docs/architecture.md §3). The hub defaults to the page itself. Throws
 * `PageConfigFailure`.
 */
export const readPageConfig = (sources: PageConfigSources): ClientConfig => {
  const {environment, table, page} = sources
  const script = readScript(sources)
  const base = (key: keyof ServiceBases) => namedBase(key, script, page.location)
  const surface = environment.VITE_SURFACE
  const isApp = surface === 'android' || surface === 'ios'
  return {
    mode: script.mode,
    hub: base('hub') ?? trim(environment.VITE_BASE_URL_HUB) ?? page.location.origin,
    platform: base('platform') ?? trim(environment.VITE_BASE_URL_PLATFORM) ?? table.platform,
    auth: base('auth') ?? trim(environment.VITE_BASE_URL_AUTH) ?? table.auth,
    api: base('api') ?? trim(environment.VITE_BASE_URL_API) ?? table.api,
    loginFlow: script.loginFlow ?? (isApp ? 'popup' : 'redirect'),
    capabilities: script.capabilities ?? [],
    ...(script.siteOrigin ? {siteOrigin: script.siteOrigin} : {}),
    ...(script.cookieDomain ? {cookieDomain: script.cookieDomain} : {}),
    ...(script.foreignImages == null ? {} : {foreignImages: script.foreignImages}),
    ...(trim(script.callbackBase) ? {callbackBase: trim(script.callbackBase)} : {}),
  }
}
