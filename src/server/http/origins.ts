import {isPlaceholderOrigin} from '#domain/site-origin.ts'
import type {Config} from '../config.ts'
import type {Database} from '../store/database.ts'
import {sites} from '../store/schema/platform.ts'
import type {ServiceName} from './route.ts'

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

export const isLoopbackHost = (host: string): boolean => loopbackNames.has(host.replace(/:\d+$/, '').toLowerCase())

export type Origins = {
  /** Whether requests for this host (`name:port`) are ours to answer (security R24). */
  isKnownHost: (host: string) => Promise<boolean>
  /** Whether a page of this origin may call us when the request came for `host`. Exact comparison (security R13). */
  isAllowedOrigin: (origin: string, host: string) => Promise<boolean>
  /** The origin people see when they ask for `host`: a public origin of that host, else plain http. */
  visibleOrigin: (host: string) => string
  /** The service that has this host for itself. */
  serviceOfHost: (host: string) => ServiceName | undefined
}

const siteOriginsLifetime = 5_000

/**
 * The one table of hosts and origins: PUBLIC_ORIGINS, the services' own origins, loopback, and the sites of the
 * database. Loopback hosts are accepted with any port (a container's port is mapped), but a page of another loopback
 * port is a foreign page. Nothing is derived from forwarded headers.
 */
export function createOrigins(config: Config, database: Database, now: () => Date): Origins {
  const serviceOrigins = (['auth', 'platform', 'api'] as const).flatMap((name): [ServiceName, string][] => {
    const origin = config.serviceOrigins[name]
    return origin === undefined ? [] : [[name, origin]]
  })
  const loopback = ['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${config.port}`)
  const configuredOrigins = new Set([
    ...config.publicOrigins,
    ...serviceOrigins.map(([, origin]) => origin),
    ...loopback,
  ])
  const hosts = new Map([...configuredOrigins].map((origin) => [new URL(origin).host, origin]))
  const services = new Map(serviceOrigins.map(([name, origin]) => [new URL(origin).host, name]))

  let siteOrigins: ReadonlySet<string> = new Set()
  let readAt = -Infinity
  let reading: Promise<void> | undefined
  /** Unknown names re-read the sites, at most every five seconds: a flood of them costs one query. */
  const readSites = async (): Promise<ReadonlySet<string>> => {
    if (now().getTime() - readAt < siteOriginsLifetime) return siteOrigins
    reading ??= database
      .asSystem((transaction) => transaction.select({origin: sites.origin}).from(sites))
      .then((rows) => {
        siteOrigins = new Set(rows.map((row) => row.origin).filter((origin) => !isPlaceholderOrigin(origin)))
        readAt = now().getTime()
      })
      .finally(() => (reading = undefined))
    await reading
    return siteOrigins
  }

  return {
    isKnownHost: async (host) => {
      if (isLoopbackHost(host) || hosts.has(host)) return true
      return [...(await readSites())].some((origin) => URL.canParse(origin) && new URL(origin).host === host)
    },
    isAllowedOrigin: async (origin, host) => {
      if (configuredOrigins.has(origin)) return true
      if (isLoopbackHost(host) && (origin === `http://${host}` || origin === `https://${host}`)) return true
      return (await readSites()).has(origin)
    },
    visibleOrigin: (host) =>
      hosts.get(host) ?? [...siteOrigins].find((origin) => new URL(origin).host === host) ?? `http://${host}`,
    serviceOfHost: (host) => services.get(host),
  }
}
