export type InviterFacts = {
  /** `site.distribution.force_inviter_id` */
  forced?: string | null
  /** `inviter_id` of the address. */
  query?: string | null
  /** INVITER_ID. */
  cookie?: string | null
  /** `site.distribution.default_inviter_id` */
  fallback?: string | null
}

const pattern = /^[A-Za-z0-9_-]{1,64}$/

/** A well-formed inviter id (security R18); any other text counts as absent. */
export const toInviterId = (text: string | null | undefined) => (text && pattern.test(text) ? text : undefined)

/** The inviter (spec §6): the site's forced inviter, then the address, then the cookie, then the site's default. */
export const inviterOf = ({forced, query, cookie, fallback}: InviterFacts): string | undefined =>
  [forced, query, cookie, fallback].map(toInviterId).find((id) => id !== undefined)
