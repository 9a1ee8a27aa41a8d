import {sql} from 'drizzle-orm'
import {check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid} from 'drizzle-orm/pg-core'
import {createdAt, id, updatedAt} from './columns.ts'

/* People and their sessions. */

export const users = pgTable(
  'users',
  {
    id: id(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    nickname: text('nickname'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    gender: integer('gender'),
    city: text('city'),
    province: text('province'),
    country: text('country'),
    avatar: text('avatar'),
    /** `operator` runs the installation: writes services, exempt from nothing else. */
    role: text('role', {enum: ['member', 'operator']})
      .notNull()
      .default('member'),
    inviterId: uuid('inviter_id'),
    verifiedAt: timestamp('verified_at', {withTimezone: true}),
    /** A deleted account: the row stays without a word about its user, for the books that name it. */
    deletedAt: timestamp('deleted_at', {withTimezone: true}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    index('users_inviter').on(table.inviterId),
    check('users_inviter_other', sql`${table.inviterId} <> ${table.id}`),
  ],
)

/** The owner of the row, which goes with the user. Row-level security reads it. */
export const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, {onDelete: 'cascade'})

/** One sign-in of one browser. Refreshing raises `generation`; replaying an old one after the grace revokes all. */
export const tokenFamilies = pgTable(
  'token_families',
  {
    id: id(),
    userId: userId(),
    /** Origin of the site the user signed in to. */
    client: text('client').notNull(),
    /** `User-Agent` of the request that began it, cut to 256 characters. */
    agent: text('agent'),
    generation: integer('generation').notNull().default(0),
    rotatedAt: timestamp('rotated_at', {withTimezone: true}),
    revokedAt: timestamp('revoked_at', {withTimezone: true}),
    expiresAt: timestamp('expires_at', {withTimezone: true}).notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('token_families_user').on(table.userId)],
)

export const accessTokens = pgTable(
  'access_tokens',
  {
    hash: text('hash').primaryKey(),
    familyId: uuid('family_id')
      .notNull()
      .references(() => tokenFamilies.id, {onDelete: 'cascade'}),
    userId: userId(),
    generation: integer('generation').notNull(),
    expiresAt: timestamp('expires_at', {withTimezone: true}).notNull(),
  },
  (table) => [index('access_tokens_family').on(table.familyId)],
)

/** Login codes: single use, 60 s, bound to redirect, user and challenge (security R10). */
export const loginCodes = pgTable('login_codes', {
  hash: text('hash').primaryKey(),
  userId: userId(),
  redirectUri: text('redirect_uri').notNull(),
  client: text('client').notNull(),
  challenge: text('challenge'),
  familyId: uuid('family_id'),
  usedAt: timestamp('used_at', {withTimezone: true}),
  expiresAt: timestamp('expires_at', {withTimezone: true}).notNull(),
})

/** A sign-in that waits for the app to begin its login: single use, 60 s (auth/handover.ts). */
export const loginHandovers = pgTable('login_handovers', {
  hash: text('hash').primaryKey(),
  userId: userId(),
  expiresAt: timestamp('expires_at', {withTimezone: true}).notNull(),
})
