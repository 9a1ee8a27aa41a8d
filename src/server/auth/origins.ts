import {eq, or} from 'drizzle-orm'
import {isPlaceholderOrigin} from '#domain/site-origin.ts'
import type {ServerDeps} from '../deps.ts'
import {isLoopbackHost} from '../http/origins.ts'
import {sites} from '../store/schema/platform.ts'
import {isLoopbackLiteral} from './redirect-uri.ts'

type Deps = Pick<ServerDeps, 'config' | 'database'>

/** Origins under which this installation serves the page itself. */
export const pageOrigins = ({config}: Pick<ServerDeps, 'config'>): string[] => [
  ...config.publicOrigins,
  `http://localhost:${config.port}`,
  `http://127.0.0.1:${config.port}`,
  `http://[::1]:${config.port}`,
]

const findSite = async (
  {database}: Pick<Deps, 'database'>,
  origins: readonly string[],
): Promise<string | undefined> => {
  const [site] = await database.asSystem((transaction) =>
    transaction
      .select({origin: sites.origin})
      .from(sites)
      .where(or(...origins.map((origin) => eq(sites.origin, origin))))
      .limit(1),
  )
  return site?.origin
}

/**
 * Whether a page of this origin may receive codes and tokens: our own pages (PUBLIC_ORIGINS among them), the page that
 * asks when it is on loopback (a container's port is mapped), and the sites (security R10, R13). In development also
 * loopback literals with any port: elsewhere another program of this machine could take the code by listening there.
 */
export async function isAllowedOrigin(deps: Deps, request: Request, origin: string): Promise<boolean> {
  if (pageOrigins(deps).includes(origin)) return true
  if (deps.config.mode === 'development' && isLoopbackLiteral(origin)) return true
  const own = new URL(request.url)
  if (origin === own.origin && isLoopbackHost(own.host)) return true
  // a placeholder names no page, so nothing may be sent there
  return !isPlaceholderOrigin(origin) && (await findSite(deps, [origin])) !== undefined
}

/**
 * The origin of a request as people see it: a proxy that ends TLS hands on plain http, so a known origin of the same
 * host wins. The Host header was compared with the table of hosts before routing (security R13, R24).
 */
export async function visibleOrigin(deps: Deps, request: Request): Promise<string> {
  const {origin, host} = new URL(request.url)
  const services = Object.values(deps.config.serviceOrigins).filter((own) => own !== undefined)
  const configuredOrigins = [...deps.config.publicOrigins, ...services]
  const ownOrigin = configuredOrigins.find((own) => new URL(own).host === host)
  if (ownOrigin !== undefined || isLoopbackHost(host)) return ownOrigin ?? origin
  return (await findSite(deps, [`https://${host}`, `http://${host}`])) ?? origin
}

/**
 * Base of the auth service as another device reaches it: the same, unless that is loopback and the configuration names
 * an origin beyond this machine. A service with an own origin is reached there or not at all.
 */
export function baseForPhones({config}: Pick<ServerDeps, 'config'>, base: string): string {
  const isReachable = (origin: string) => !isLoopbackHost(new URL(origin).host)
  if (isReachable(base) || config.serviceOrigins.auth !== undefined) return base
  const page = config.publicOrigins.find(isReachable)
  return page === undefined ? base : `${page}/services/auth`
}

/** The origin of the page of this installation, for a request whose visible origin is `seen`. */
export function hubOrigin(deps: Pick<ServerDeps, 'config'>, visibleAddress: string): string {
  const isAuthOnly =
    Object.values(deps.config.serviceOrigins).includes(visibleAddress) && !pageOrigins(deps).includes(visibleAddress)
  const [first] = pageOrigins(deps)
  return isAuthOnly && first !== undefined ? first : visibleAddress
}
