import {inviterOf} from '#domain/inviter-order.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import type {RootDeps} from './root-deps.ts'

/** The inviter of this user (spec §6), from site, address and cookie. */
export const currentInviter = (deps: Pick<RootDeps, 'address' | 'cookies'>, site: SiteActor | undefined) => {
  const distribution = site?.getSnapshot().context.site?.distribution
  return inviterOf({
    forced: distribution?.force_inviter_id,
    query: deps.address().searchParams.get('inviter_id'),
    cookie: deps.cookies.read().inviterId,
    fallback: distribution?.default_inviter_id,
  })
}
