import {tokenResponse, type TokenResponse} from '#contract/oauth.ts'
import {z} from '#contract/schema.ts'
import {createRequester, queryText, type ApiDeps} from './request.ts'

/** `verifier` and `redirectUri` only for an auth service that offers PKCE; another one receives the code alone. */
export type CodeExchange = {code: string; verifier?: string; redirectUri?: string}

/** The token endpoint of the auth service. A 401 here is a failed sign-in, not a reason to start one (security R11). */
export const createOAuthApi = (deps: ApiDeps) => {
  const request = createRequester(deps)
  const token = (body: object, signal?: AbortSignal): Promise<TokenResponse> =>
    request({method: 'post', path: '/oauth2/v1/token', body, answer: tokenResponse, signal})
  return {
    /** A code works once: this is never asked twice. */
    exchangeCode: ({code, verifier, redirectUri}: CodeExchange, signal?: AbortSignal) =>
      token({code, code_verifier: verifier, redirect_uri: redirectUri}, signal),
    /** Ours, where the page's capabilities offer `refresh`. */
    refresh: (refreshToken: string, signal?: AbortSignal) =>
      token({grant_type: 'refresh_token', refresh_token: refreshToken}, signal),
    /** Ours: ends this sign-in on the server. */
    async revoke(refreshToken: string, signal?: AbortSignal): Promise<void> {
      const body = {refresh_token: refreshToken}
      await request({method: 'post', path: '/oauth2/v1/revoke', body, answer: z.unknown(), signal})
    },
  }
}
export type OAuthApi = ReturnType<typeof createOAuthApi>

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

export type LoginFrameAddress = Pick<LoginAddress, 'auth' | 'inviterId'> & {
  /** Ours: who may receive the messages, and the attempt they belong to. */
  extension?: {parentOrigin: string; state: string; language?: string; theme?: string}
}

/** The embedded login page (spec §7), which takes `inviter_id`. */
export const loginFrameUrl = ({auth, inviterId, extension}: LoginFrameAddress) => {
  const query = queryText({
    inviter_id: inviterId,
    parent_origin: extension?.parentOrigin,
    state: extension?.state,
    lang: extension?.language,
    theme: extension?.theme,
  })
  return `${auth}/auth/login${query === '' ? '' : `?${query}`}`
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
