import {z} from './schema.ts'

/** Base64url text of at least 128 random bits: `state` (security R09). */
const opaque = z.string().check(z.regex(/^[A-Za-z0-9_-]{22,256}$/))
/** RFC 7636 §4.1. */
const codeVerifier = z.string().check(z.regex(/^[A-Za-z0-9._~-]{43,128}$/))
/** Base64url of a SHA-256 digest (RFC 7636 §4.2). */
const codeChallenge = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))

/** POST {auth}/oauth2/v1/token. A foreign auth service receives `{code}` only. */
export const tokenRequest = z.union([
  z.strictObject({
    code: z.string().check(z.minLength(1), z.maxLength(512)),
    grant_type: z.optional(z.literal('authorization_code')),
    code_verifier: z.optional(codeVerifier),
    redirect_uri: z.optional(z.string().check(z.maxLength(4096))),
  }),
  z.strictObject({
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string().check(z.minLength(1), z.maxLength(512)),
  }),
])
export type TokenRequest = z.infer<typeof tokenRequest>

/** POST {auth}/oauth2/v1/revoke (ours): ends the sign-in of the refresh token, of the bearer, or of both. */
export const revokeRequest = z.strictObject({
  refresh_token: z.optional(z.string().check(z.minLength(1), z.maxLength(512))),
})

/** Query of {auth}/auth/login. `site`, `inviter_id` and `redirect` are the specification's; the rest is PKCE. */
export const loginQuery = z.object({
  site: z.optional(z.string().check(z.maxLength(2048))),
  inviter_id: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))),
  redirect: z.optional(z.string().check(z.maxLength(4096))),
  state: z.optional(opaque),
  code_challenge: z.optional(codeChallenge),
  code_challenge_method: z.optional(z.literal('S256')),
  /** `popup` asks for the embedded form that answers by postMessage to `parent_origin`. */
  parent_origin: z.optional(z.string().check(z.maxLength(512))),
  /** Secret of the link that makes the first account. */
  setup: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))),
  lang: z.optional(z.string().check(z.maxLength(16))),
  theme: z.optional(z.enum(['dark', 'light'])),
  /** Why the user is here, if the page says it. Anybody can write it into a link: it only chooses a sentence. */
  reason: z.optional(z.literal('deleted')),
})
export type LoginQuery = z.infer<typeof loginQuery>
