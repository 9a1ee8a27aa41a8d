import {inArray} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {isLoopbackHost} from '../http/origins.ts'
import {placeholderOrigin} from '../platform/placeholder-origin.ts'
import {sites} from '../store/schema/platform.ts'
import type {LoginView} from './login-view.ts'

type Deps = Pick<ServerDeps, 'database'>

/** Who may have invited a new user: the site's forced inviter, the link's, the cookie's, the site's default (spec §6). */
export async function invitersOf(deps: Deps, view: LoginView): Promise<(string | null | undefined)[]> {
  const {login, cookie} = view
  if ('refused' in login) return []
  const {force_inviter_id: forced, default_inviter_id: otherwise} = (await distributionOf(deps, view)) ?? {}
  return [forced, login.query.inviter_id, cookie('INVITER_ID'), otherwise]
}

/**
 * The rule of the site that the user registers at: of the page that gets the answer, else of this page. Never of the `site`
 * in the query, which the author of the link chooses to get past a forced inviter. Nor of a page on this machine when the
 * user is not on it: such an address is always allowed, and leads them nowhere.
 */
async function distributionOf(deps: Deps, {page}: LoginView) {
  const origins: string[] = []
  for (const origin of [answered(page), page.hub]) {
    if (origin === undefined) continue
    if (!isOnThisMachine(origin)) origins.push(origin)
    else if (isOnThisMachine(page.hub)) origins.push(await placeholderOrigin(deps))
  }
  const rows = await deps.database.asSystem((transaction) =>
    transaction
      .select({origin: sites.origin, distribution: sites.distribution})
      .from(sites)
      .where(inArray(sites.origin, origins)),
  )
  return origins.map((origin) => rows.find((row) => row.origin === origin)).find((row) => row !== undefined)
    ?.distribution
}

const isOnThisMachine = (origin: string) => isLoopbackHost(new URL(origin).host)

const answered = ({target, hub}: LoginView['page']): string | undefined => {
  if (target.kind === 'redirect') return target.redirectUri.origin
  // an embedded page that names no parent may be any of our own
  return target.kind === 'embedded' && !target.origins.includes(hub) ? target.origins[0] : undefined
}
