import {seconds} from './oauth.ts'
import {z} from './schema.ts'

/** The message of the embedded login page to its opener (spec §7). `state` is ours and checked for our service only. */
export const loginMessage = z.union([
  z.object({
    name: z.literal('login'),
    data: z.object({
      access_token: z.string().check(z.minLength(1), z.maxLength(8192)),
      refresh_token: z.string().check(z.minLength(1), z.maxLength(8192)),
      expires_in: seconds,
    }),
    state: z.optional(z.string()),
  }),
  z.object({
    name: z.literal('show_qr'),
    data: z.object({qrLink: z.string().check(z.maxLength(65_536))}),
    state: z.optional(z.string()),
  }),
])
export type LoginMessage = z.infer<typeof loginMessage>
