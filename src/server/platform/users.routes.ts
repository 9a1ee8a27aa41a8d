import {and, eq, isNull} from 'drizzle-orm'
import {user as userSchema, userWrite, verificationWrite, type User} from '#contract/management.ts'
import {pageQuery} from '#contract/request-schema.ts'
import {optional, z} from '#contract/schema.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest, unauthorized} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {users} from '../store/schema/people.ts'
import {refuseForeignImage} from './addresses.ts'
import {present, refuseChanged} from './fields.ts'
import {maskedEmail} from './masked-email.ts'
import {pageOf, readPage} from './paging.ts'
import {isVerificationCode} from './verification.ts'

type UserRow = typeof users.$inferSelect

/** Keys of GET /users/me that PUT accepts unchanged; the rest of the row (role, password) has no wire name. */
const readOnlyKeys = ['id', 'username', 'email', 'date_joined', 'is_verified'] as const
const {id, username, email, date_joined, is_verified} = userSchema.shape
const wholeUserWrite = z.extend(userWrite, {id: optional(id), username, email, date_joined, is_verified})

const inviteeQuery = z.strictObject(pageQuery)
const inviteeColumns = {created_at: users.createdAt, date_joined: users.createdAt}

/** The default name of an account: the part before the @. */
const localPart = (address: string) => address.slice(0, address.lastIndexOf('@'))

const userView = (row: UserRow): User => {
  return present({
    id: row.id,
    username: localPart(row.email),
    email: row.email,
    nickname: row.nickname,
    first_name: row.firstName,
    last_name: row.lastName,
    gender: row.gender,
    city: row.city,
    province: row.province,
    country: row.country,
    avatar: row.avatar,
    date_joined: row.createdAt.toISOString(),
    is_verified: row.verifiedAt !== null,
  })
}

const verificationView = (row: UserRow) =>
  present({verified: row.verifiedAt !== null, verified_at: row.verifiedAt?.toISOString()})

/** The user themselves and whom they invited (spec §7). Every route is about the token's subject and nobody else. */
export function userRoutes(deps: ServerDeps): Route[] {
  const readUser = async (userId: string): Promise<UserRow> => {
    const [row] = await deps.database.asUser(userId, (transaction) =>
      transaction.select().from(users).where(eq(users.id, userId)),
    )
    if (!row) throw unauthorized()
    return row
  }

  return [
    managementRoute('GET', '/users/me', 'user', {
      handle: async ({identity}) => {
        return Response.json(userView(await readUser(identity.userId)))
      },
    }),
    managementRoute('PUT', '/users/me', 'user', {
      body: wholeUserWrite,
      handle: async ({identity, body, origin}) => {
        const storedUser = await readUser(identity.userId)
        refuseForeignImage(deps.config, origin, 'avatar', body.avatar, storedUser.avatar)
        refuseChanged(body, userView(storedUser), readOnlyKeys)
        const [row] = await deps.database.asUser(identity.userId, (transaction) =>
          transaction
            .update(users)
            .set({...changesOf(body), updatedAt: deps.now()})
            .where(eq(users.id, identity.userId))
            .returning(),
        )
        if (!row) throw unauthorized()
        return Response.json(userView(row))
      },
    }),
    managementRoute('GET', '/users/me/invitees', 'user', {
      query: inviteeQuery,
      handle: async ({identity, query}) => {
        const page = pageOf(query, inviteeColumns, users.id)
        const isInvited = and(eq(users.inviterId, identity.userId), isNull(users.deletedAt))
        // Invitees are other people's rows: read as the installation, filtered by the token's subject, address masked.
        return deps.database.asSystem(async (transaction) => {
          const {rows, count} = await readPage(transaction, users, isInvited, page)
          return Response.json({count, items: rows.map(inviteeView)})
        })
      },
    }),
    managementRoute('GET', '/users/verify', 'user', {
      handle: async ({identity}) => {
        return Response.json(verificationView(await readUser(identity.userId)))
      },
    }),
    managementRoute('PUT', '/users/verify', 'user', {
      body: verificationWrite,
      limit: 'login',
      handle: async ({identity, body}) => {
        const account = await readUser(identity.userId)
        if (!isVerificationCode(deps.secrets, account, body.code)) throw badRequest('wrongCode', 'code')
        if (account.verifiedAt) return Response.json(verificationView(account))
        // The request role may not write `verified_at`; this is the one route that does.
        const [row] = await deps.database.asSystem((transaction) =>
          transaction.update(users).set({verifiedAt: deps.now()}).where(eq(users.id, account.id)).returning(),
        )
        return Response.json(verificationView(row ?? account))
      },
    }),
  ]
}

/** Empty text clears an entry. */
const entry = (text: string | undefined) => (text === undefined ? undefined : text.trim() || null)

/** The columns that a user may change of their own row; undefined leaves a column unchanged. */
const changesOf = (body: z.infer<typeof userWrite>) => ({
  nickname: entry(body.nickname),
  firstName: entry(body.first_name),
  lastName: entry(body.last_name),
  gender: body.gender,
  city: entry(body.city),
  province: entry(body.province),
  country: entry(body.country),
  avatar: entry(body.avatar),
})

const inviteeView = (row: UserRow) =>
  present({
    id: row.id,
    username: maskedEmail(row.email),
    email: maskedEmail(row.email),
    nickname: row.nickname,
    date_joined: row.createdAt.toISOString(),
  })
