import type {TokenResponse} from '#contract/oauth.ts'

/**
 * A user's token (spec §3): access, refresh, expiration (seconds, as received in `expires_in`). `receivedAt` and
 * `refreshAt` are milliseconds of this browser's clock, so a wrong clock shifts both alike (security R15).
 */
export type SessionToken = {
  access: string
  refresh?: string
  expiration: number
  receivedAt: number
  refreshAt: number
  /** Owner of the token, once known: the token of a new sign-in may belong to another user. */
  userId?: string
}

const refreshShare = 0.8
/** Lifetime in seconds if the service does not name one. */
const unknownLife = 900

/** Milliseconds until the refresh: 80 % of the token's lifetime (security R15). */
export const refreshAfter = (expiration: number) => Math.round(expiration * 1000 * refreshShare)

export const toSessionToken = (response: TokenResponse, receivedAt: number): SessionToken => ({
  access: response.access_token,
  ...(response.refresh_token ? {refresh: response.refresh_token} : {}),
  expiration: response.expires_in ?? unknownLife,
  receivedAt,
  refreshAt: receivedAt + refreshAfter(response.expires_in ?? unknownLife),
})

/** Another tab's token replaces ours only if it differs and is younger. */
export const isNewerToken = (candidate: SessionToken, current: SessionToken | undefined) =>
  current === undefined || (candidate.access !== current.access && candidate.receivedAt > current.receivedAt)
