import {identifier, optional, paged, z} from './schema.ts'

/* Users manage their account. Ours throughout, only if the page's configuration offers `account`. */

/** Lengths of a new password, in characters; the longest one bounds the work of one attempt. */
export const passwordLengths = {shortest: 10, longest: 1024} as const

/** One sign-in of one browser, until it is ended or expires. */
const accountSession = z.object({
  id: identifier,
  /** Origin of the page that was signed in to. */
  client: optional(z.string()),
  /** The browser's own `User-Agent` at sign-in: data, written by the client that signed in. */
  agent: optional(z.string()),
  /** Whether it is the one that asks. */
  current: z.boolean(),
  created_at: optional(z.string()),
  /** When its tokens were last renewed: it was in use until then or up to 15 minutes longer. */
  refreshed_at: optional(z.string()),
  expires_at: optional(z.string()),
})
export type AccountSession = z.infer<typeof accountSession>
export const accountSessionPage = paged(accountSession)
