import {tokenResponse, type TokenResponse} from '#contract/oauth.ts'
import {z} from '#contract/schema.ts'
import {createRequester, queryText, type ApiDeps} from './request.ts'

/** `verifier` and `redirectUri` only if the auth service offers PKCE; others receive the code alone. */
export type CodeExchange = {code: string; verifier?: string; redirectUri?: string}

/**
 * The token endpoint of the auth service. A 401 here is a failed sign-in and must not start another one (security R11).
 */
export const createOAuthApi = (deps: ApiDeps) => {
  const request = createRequester(deps)
  const token = (body: object, signal?: AbortSignal): Promise<TokenResponse> =>
    request({method: 'post', path: '/oauth2/v1/token', body, answer: tokenResponse, signal})
  return {
    /** A code works once: never retry this. */
    exchangeCode: ({code, verifier, redirectUri}: CodeExchange, signal?: AbortSignal) =>
      token({code, code_verifier: verifier, redirect_uri: redirectUri}, signal),
    /** Our extension: only if the page's capabilities include `refresh`. */
    refresh: (refreshToken: string, signal?: AbortSignal) =>
      token({grant_type: 'refresh_token', refresh_token: refreshToken}, signal),
    /** Our extension: ends this sign-in on the server. */
    async revoke(refreshToken: string, signal?: AbortSignal): Promise<void> {
      const body = {refresh_token: refreshToken}
      await request({method: 'post', path: '/oauth2/v1/revoke', body, answer: z.unknown(), signal})
    },
  }
}
export type OAuthApi = ReturnType<typeof createOAuthApi>

export type LoginFrameAddress = {
  /** Base URL of the auth service. */
  auth: string
  inviterId?: string
  /** Our extension: the origin that may receive the messages, and the login attempt. */
  extension?: {parentOrigin: string; state: string; language?: string; theme?: string}
}

/** Address of the embedded login page (spec §7), which takes `inviter_id`. */
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
