import type {TokenResponse} from '#contract/oauth.ts'

/**
 * A person's token (spec §3): access, refresh, expiration (seconds, as `expires_in` came). `receivedAt` and
 * `refreshAt` are milliseconds of this browser's clock, so a wrong clock shifts both alike (security R15).
 */
export type SessionToken = {
  access: string
  refresh?: string
  expiration: number
  receivedAt: number
  refreshAt: number
  /** Whose it is, once that is known: a token of a fresh sign-in may be another user's. */
  userId?: string
}

const refreshShare = 0.8
/** Life of a token whose service does not say it, in seconds. */
const unknownLife = 900

/** Life before the refresh in milliseconds: 80 % of the token's (security R15). */
export const refreshAfter = (expiration: number) => Math.round(expiration * 1000 * refreshShare)

export const toSessionToken = (response: TokenResponse, receivedAt: number): SessionToken => ({
  access: response.access_token,
  ...(response.refresh_token ? {refresh: response.refresh_token} : {}),
  expiration: response.expires_in ?? unknownLife,
  receivedAt,
  refreshAt: receivedAt + refreshAfter(response.expires_in ?? unknownLife),
})

/** A sibling tab's token replaces ours only when it is another one and younger. */
export const isNewerToken = (candidate: SessionToken, current: SessionToken | undefined) =>
  current === undefined || (candidate.access !== current.access && candidate.receivedAt > current.receivedAt)
