import {pageConfig, type PageConfig} from '#contract/page-config.ts'
import type {Log} from '#domain/log.ts'

/** Base URLs of the four services (spec §7), without trailing slashes. */
export type ServiceBases = {hub: string; platform: string; auth: string; api: string}

/** The page's configuration with nothing left open. */
export type ClientConfig = ServiceBases & {
  mode: PageConfig['mode']
  siteOrigin?: string
  loginFlow: 'redirect' | 'popup'
  cookieDomain?: string
  /** Extensions that auth service and platform offer: `pkce`, `refresh`, `running`. */
  capabilities: readonly string[]
  /** Where a foreign AI host may call back. */
  callbackBase?: string
  /** `false`: the page may not load pictures of other hosts. */
  foreignImages?: boolean
}

/** What Vite was built with. */
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

const trim = (url: string | null | undefined) => url?.replace(/\/+$/, '') || undefined

const readScript = ({page, log}: PageConfigSources): PageConfig => {
  const text = page.getElementById('config')?.textContent ?? '{}'
  try {
    const parsed = pageConfig.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    log('The page configuration is not valid', {issues: parsed.error.issues.map(({path}) => path.join('.'))})
  } catch {
    log('The page configuration is not JSON')
  }
  return {mode: 'production'}
}

/**
 * Where the services are and how people sign in: `<script id="config">` of the page, else `VITE_BASE_URL_*` of the
 * build, else the table of the specification (docs/architecture.md §3). The hub falls back to the page itself.
 */
export const readPageConfig = (sources: PageConfigSources): ClientConfig => {
  const {environment, table, page} = sources
  const script = readScript(sources)
  const surface = environment.VITE_SURFACE
  const isApp = surface === 'android' || surface === 'ios'
  return {
    mode: script.mode,
    hub: trim(script.hub) ?? trim(environment.VITE_BASE_URL_HUB) ?? page.location.origin,
    platform: trim(script.platform) ?? trim(environment.VITE_BASE_URL_PLATFORM) ?? table.platform,
    auth: trim(script.auth) ?? trim(environment.VITE_BASE_URL_AUTH) ?? table.auth,
    api: trim(script.api) ?? trim(environment.VITE_BASE_URL_API) ?? table.api,
    loginFlow: script.loginFlow ?? (isApp ? 'popup' : 'redirect'),
    capabilities: script.capabilities ?? [],
    ...(script.siteOrigin ? {siteOrigin: script.siteOrigin} : {}),
    ...(script.cookieDomain ? {cookieDomain: script.cookieDomain} : {}),
    ...(script.foreignImages == null ? {} : {foreignImages: script.foreignImages}),
    ...(trim(script.callbackBase) ? {callbackBase: trim(script.callbackBase)} : {}),
  }
}
