import {pageQuery} from './request-schema.ts'
import {identifier, z} from './schema.ts'

/* Queries and bodies of the referral programme, all about the token's user; another `user_id` finds nothing. */

/** GET /distribution-statuses/ and /distribution-histories/. */
export const distributionQuery = z.strictObject({...pageQuery, user_id: z.optional(identifier)})

/** GET /distribution-levels/. */
export const distributionLevelQuery = z.strictObject({...pageQuery, user_id: z.optional(identifier)})

/** POST /shorturl: an address of one of this installation's own pages. */
export const shortUrlCreate = z.strictObject({content: z.string().check(z.minLength(1), z.maxLength(2048))})
