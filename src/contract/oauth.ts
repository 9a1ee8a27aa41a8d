import {z} from './schema.ts'

/** A number, or its text. Absent where the service says nothing useful (0, a word): no reason to refuse a sign-in. */
const seconds = z.catch(z.optional(z.coerce.number().check(z.positive())), undefined)

export const tokenResponse = z.object({
  access_token: z.string().check(z.minLength(1), z.maxLength(8192)),
  refresh_token: z.optional(z.string().check(z.maxLength(8192))),
  expires_in: seconds,
})
export type TokenResponse = z.infer<typeof tokenResponse>

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
