import {passwordLengths} from './account.ts'
import {pageQuery} from './request-schema.ts'
import {z} from './schema.ts'

/* Bodies and queries of the account (ours). */

/** As it was set: its form is checked by comparing, not by rules that may have changed. */
const presentPassword = z.string().check(z.minLength(1), z.maxLength(passwordLengths.longest))

/** POST /users/me/password. */
export const passwordChange = z.strictObject({
  current_password: presentPassword,
  new_password: z.string().check(z.minLength(passwordLengths.shortest), z.maxLength(passwordLengths.longest)),
})

/** POST /users/me/delete. */
export const accountDelete = z.strictObject({password: presentPassword})

/** GET /users/me/sessions. Sort keys: `created_at`, `refreshed_at`. */
export const accountSessionQuery = z.strictObject(pageQuery)
