import {z} from './schema.ts'

/** A number, or its text. Absent where the service says nothing useful (0, a word): no reason to refuse a sign-in. */
export const seconds = z.catch(z.optional(z.coerce.number().check(z.positive())), undefined)

export const tokenResponse = z.object({
  access_token: z.string().check(z.minLength(1), z.maxLength(8192)),
  refresh_token: z.optional(z.string().check(z.maxLength(8192))),
  expires_in: seconds,
})
export type TokenResponse = z.infer<typeof tokenResponse>
