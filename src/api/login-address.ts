import {queryText} from './request.ts'

/** Our extensions of the login page; sent only if the page's capabilities include `pkce`. */
export type LoginExtension = {
  state: string
  challenge: string
  language?: string
  theme?: string
  /** The login page reports that the account is deleted. */
  reason?: 'deleted'
}

export type LoginAddress = {
  /** Base URL of the auth service. */
  auth: string
  /** Base URL of this app. */
  hub: string
  /** Origin of the site. */
  site: string
  inviterId?: string
  /** Path and query in this app to return to. */
  returnPath: string
  extension?: LoginExtension
}

/** Our callback. Its address includes `state`, since not every auth service returns it (security R09). */
export const callbackUrl = ({hub, returnPath, extension}: Pick<LoginAddress, 'hub' | 'returnPath' | 'extension'>) =>
  `${hub}/auth/callback?${queryText({redirect: returnPath, state: extension?.state})}`

/** Address of a login by navigation (spec §7): `site`, `inviter_id` if known, and `redirect` to our callback. */
export const loginUrl = (address: LoginAddress) => {
  const {auth, site, inviterId, extension} = address
  return `${auth}/auth/login?${queryText({
    site,
    inviter_id: inviterId,
    redirect: callbackUrl(address),
    ...(extension === undefined
      ? {}
      : {
          state: extension.state,
          code_challenge: extension.challenge,
          code_challenge_method: 'S256',
          lang: extension.language,
          theme: extension.theme,
          reason: extension.reason,
        }),
  })}`
}

/**
 * Address of a logout by one navigation (spec §4): the logout page redirects to the login page, which redirects back.
 * @param login the login page's address; without our extensions `{auth}/auth/login?redirect=<current address>`
 * @param isOpening our extension: a page without a session opens (docs/decisions/0021)
 */
export const logoutUrl = (auth: string, login: string, isOpening = false) =>
  `${auth}/auth/logout?${queryText({redirect: login, reason: isOpening ? 'opening' : undefined})}`

/** The login page to pass to a logout, for an auth service without our extensions. */
export const plainLoginUrl = (auth: string, here: string) => `${auth}/auth/login?${queryText({redirect: here})}`
