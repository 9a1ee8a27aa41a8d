import {inArray} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {isLoopbackHost} from '../http/origins.ts'
import {placeholderOrigin} from '../platform/placeholder-origin.ts'
import {sites} from '../store/schema/platform.ts'
import type {LoginTarget} from './login-request.ts'

/** The location of a sign-in page. `address`: that in the browser; `hub`: the page of the installation there. */
export type LoginLocation = {target: LoginTarget; hub: string; address: string; isFramed: boolean}

export type SiteRule = Pick<typeof sites.$inferSelect, 'origin' | 'distribution'>

/**
 * The site that the user registers at: of the page that gets the answer, else of this page. Never the `site` in the
 * query, which the author of the link chooses to get past a forced inviter; nor a parent that no frame proves; nor the
 * target of a link to the address of a site that forces its inviter. Nor a page on this machine when the user is not on
 * it: such an address is always allowed, and leads them nowhere.
 */
export async function findSiteRule(
  deps: Pick<ServerDeps, 'database'>,
  location: LoginLocation,
): Promise<SiteRule | undefined> {
  const {hub, address} = location
  const siteOf = async (origin: string | undefined) => {
    if (origin === undefined || !isOnThisMachine(origin)) return origin
    return isOnThisMachine(hub) ? placeholderOrigin(deps) : undefined
  }
  const [hostSite, own] = [await siteOf(answeredBy(location)), await siteOf(hub)]
  const origins = [hostSite, own].filter((origin) => origin !== undefined)
  const rows = await deps.database.asSystem((transaction) =>
    transaction
      .select({origin: sites.origin, distribution: sites.distribution})
      .from(sites)
      .where(inArray(sites.origin, origins)),
  )
  const ruleOf = (origin: string | undefined) => rows.find((row) => row.origin === origin)
  const here = ruleOf(own)
  const isForcedHere = here?.distribution?.force_inviter_id != null && address === hub && !location.isFramed
  return isForcedHere ? here : (ruleOf(hostSite) ?? here)
}

const isOnThisMachine = (origin: string) => isLoopbackHost(new URL(origin).host)

const answeredBy = ({target, hub, isFramed}: LoginLocation): string | undefined => {
  if (target.kind === 'redirect') return target.redirectUri.origin
  // an embedded page that names no parent may be any of our own
  return isFramed && target.kind === 'embedded' && !target.origins.includes(hub) ? target.origins[0] : undefined
}
