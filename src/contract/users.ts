import {identifier, optional, paged, z} from './schema.ts'

/* Fields of users that only pages of the account and of the referral programme read: out of the chat's first load. */

const invitee = z.object({
  id: identifier,
  username: optional(z.string()),
  email: optional(z.string()),
  nickname: optional(z.string()),
  date_joined: optional(z.string()),
})
export type Invitee = z.infer<typeof invitee>
export const inviteePage = paged(invitee)

/** GET and PUT /users/verify: whether the user has confirmed their address or name. */
export const verification = z.object({verified: z.boolean(), verified_at: optional(z.string())})
