import type {LoginView} from './login-view.ts'

/** Possible inviters of a new user: the site's forced one, the link's, the cookie's, the site's default (spec §6). */
export function invitersOf({login, cookie, rule}: LoginView): (string | null | undefined)[] {
  if ('refused' in login) return []
  const {force_inviter_id: forcedInviter, default_inviter_id: otherwise} = rule?.distribution ?? {}
  return [forcedInviter, login.query.inviter_id, cookie('INVITER_ID'), otherwise]
}
