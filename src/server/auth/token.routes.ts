import {revokeRequest, tokenRequest, type TokenRequest} from '#contract/oauth-requests.ts'
import type {ServerDeps} from '../deps.ts'
import {route, type Route} from '../http/route.ts'
import {exchangeCode} from './login-codes.ts'
import {refreshTokens, revokeByRefreshToken, revokeFamily, type IssuedTokens} from './tokens.ts'

type Sender = {origin: string | undefined; agent: string | undefined}

/** Tokens for a code or a refresh token, and their end (spec §7 OAuth; security R10, R15, R16). */
export function tokenRoutes(deps: ServerDeps): Route[] {
  const issue = (body: TokenRequest, {origin, agent}: Sender): Promise<IssuedTokens> =>
    'refresh_token' in body
      ? refreshTokens(deps, body.refresh_token, origin)
      : exchangeCode(deps, {
          code: body.code,
          verifier: body.code_verifier,
          redirectUri: body.redirect_uri,
          origin,
          agent,
        })

  const token = (path: string) =>
    route({
      service: 'auth',
      method: 'POST',
      path,
      policy: 'public',
      limit: 'token',
      body: tokenRequest,
      handle: async ({body, origin, context}) =>
        Response.json(await issue(body, {origin, agent: context.req.header('user-agent')}), {
          headers: {'cache-control': 'no-store'},
        }),
    })

  /** Like RFC 7009: an unknown token is already revoked. Works with an expired access token, by the refresh token. */
  const revoke = route({
    service: 'auth',
    method: 'POST',
    path: '/oauth2/v1/revoke',
    policy: 'public',
    limit: 'token',
    body: revokeRequest,
    handle: async ({body, identity}) => {
      const familyId = identity?.familyId
      if (familyId !== undefined) {
        await deps.database.asSystem((transaction) => revokeFamily(deps, transaction, familyId))
      }
      if (body.refresh_token !== undefined) await revokeByRefreshToken(deps, body.refresh_token)
      return new Response(null, {status: 204, headers: {'cache-control': 'no-store'}})
    },
  })

  return [token('/oauth2/v1/token'), token('/sso/v1/token'), revoke]
}
