import {queryText} from './request.ts'

/** Our own extensions of the login page, present only where the page's capabilities offer `pkce`. */
export type LoginExtension = {state: string; challenge: string; language?: string; theme?: string}

export type LoginAddress = {
  /** Base URL of the auth service. */
  auth: string
  /** Base URL of this app. */
  hub: string
  /** Origin of the site. */
  site: string
  inviterId?: string
  /** Where the person was: path and query of this app. */
  returnPath: string
  extension?: LoginExtension
}

/** Our own callback. `state` rides in it too: not every auth service gives it back (security R09). */
export const callbackUrl = ({hub, returnPath, extension}: Pick<LoginAddress, 'hub' | 'returnPath' | 'extension'>) =>
  `${hub}/auth/callback?${queryText({redirect: returnPath, state: extension?.state})}`

/** Login by navigation (spec §7): `site`, `inviter_id` when known, `redirect` back to our callback. */
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
        }),
  })}`
}

/**
 * Logout by one navigation (spec §4): the logout page sends on to the login page, which sends back here.
 * @param login the login page's address; of a sign-out without our extensions `{auth}/auth/login?redirect=<where the person is>`
 * @param isOpening ours: a page without a session opens (docs/decisions/0021)
 */
export const logoutUrl = (auth: string, login: string, isOpening = false) =>
  `${auth}/auth/logout?${queryText({redirect: login, reason: isOpening ? 'opening' : undefined})}`

/** The login page of a logout, for an auth service without our extensions. */
export const plainLoginUrl = (auth: string, here: string) => `${auth}/auth/login?${queryText({redirect: here})}`
