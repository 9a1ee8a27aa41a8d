import {z} from './schema.ts'

/** `expires_in` is in seconds. */
export const tokenResponse = z.object({
  access_token: z.string().check(z.minLength(1), z.maxLength(8192)),
  refresh_token: z.optional(z.string().check(z.maxLength(8192))),
  expires_in: z.number().check(z.positive()),
})
export type TokenResponse = z.infer<typeof tokenResponse>

/** What the embedded login page posts to its opener (spec §7). `state` is ours and checked only for our own service. */
export const loginMessage = z.union([
  z.object({
    name: z.literal('login'),
    data: z.object({
      access_token: z.string().check(z.minLength(1), z.maxLength(8192)),
      refresh_token: z.string().check(z.minLength(1), z.maxLength(8192)),
      expires_in: z.number().check(z.positive()),
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
