import type {Credential} from '#contract/management.ts'

/** A credential as the console lists it: without its token. */
export type ApiKey = {
  id: string
  name?: string | undefined
  /** Origin that the key is bound to. Absent: an API key, which lives until it is revoked. */
  host?: string | undefined
  /** Enough of the token to recognise it. */
  masked?: string | undefined
  usedAmount?: number | undefined
  /** ISO. */
  createdAt?: string | undefined
  /** This page itself calls with it. */
  isOwn: boolean
}

/** `origin`: of the page. Only the sign-in that made a browser key reads its token in a list. */
export const toApiKey = (credential: Credential, origin: string): ApiKey => ({
  id: credential.id,
  name: credential.name ?? undefined,
  host: credential.host ?? undefined,
  masked: credential.masked_token ?? undefined,
  usedAmount: credential.used_amount ?? undefined,
  createdAt: credential.created_at ?? undefined,
  isOwn: credential.host === origin && Boolean(credential.token),
})
