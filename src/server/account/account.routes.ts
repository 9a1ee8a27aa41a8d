import {eq} from 'drizzle-orm'
import {passwordLengths} from '#contract/account.ts'
import {accountDelete, accountSessionQuery, passwordChange} from '#contract/account-requests.ts'
import {hashPassword, verifyPassword} from '../auth/password.ts'
import {describeError} from '../http/boundary.ts'
import {downloadOf} from '../http/download.ts'
import {badRequest} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {idOf} from '../platform/fields.ts'
import {pageOf} from '../platform/paging.ts'
import {tokenFamilies, users} from '../store/schema/people.ts'
import {closeAccount, eraseContents, type DeleteParts} from './delete-account.ts'
import {exportArchive} from './export-data.ts'
import {endOtherSessions, endSession, listSessions} from './sessions.ts'

const sortColumns = {created_at: tokenFamilies.createdAt, refreshed_at: tokenFamilies.rotatedAt}

/** The routes of the user's own account (ours): password, sessions, export, deletion, of the token's subject alone. */
export function accountRoutes(parts: DeleteParts): Route[] {
  const {deps} = parts
  const {database, log, now} = deps

  /** A wrong password is no 401: that would end the session of a user who mistyped. */
  const requirePassword = async (userId: string, password: string, field: string) => {
    const [user] = await database.asSystem((transaction) =>
      transaction.select({passwordHash: users.passwordHash}).from(users).where(eq(users.id, userId)),
    )
    if (!(await verifyPassword(password, user?.passwordHash))) throw badRequest('wrongPassword', field)
  }

  return [
    managementRoute('POST', '/users/me/password', 'user', {
      limit: 'login',
      body: passwordChange,
      handle: async ({identity: {userId, familyId}, body}) => {
        const least = passwordLengths.shortest
        if ([...body.new_password].length < least) throw badRequest('fieldLeastCharacters', 'new_password', {least})
        await requirePassword(userId, body.current_password, 'current_password')
        const passwordHash = await hashPassword(body.new_password)
        await database.asSystem(async (transaction) => {
          await transaction.update(users).set({passwordHash, updatedAt: now()}).where(eq(users.id, userId))
          await endOtherSessions({now}, transaction, userId, familyId)
        })
        return new Response(null, {status: 204})
      },
    }),
    managementRoute('GET', '/users/me/sessions', 'user', {
      query: accountSessionQuery,
      handle: async ({identity, query}) =>
        Response.json(await listSessions(deps, identity, pageOf(query, sortColumns, tokenFamilies.id))),
    }),
    managementRoute('DELETE', '/users/me/sessions/:id', 'user', {
      handle: async ({identity, params}) => {
        await endSession(deps, identity, idOf(params))
        return new Response(null, {status: 204})
      },
    }),
    managementRoute('GET', '/users/me/export', 'user', {
      limit: 'export',
      handle: ({identity: {userId}, client}) => {
        const name = `atrium-${now().toISOString().slice(0, 10)}.zip`
        return downloadOf(exportArchive(deps, userId), {type: 'application/zip', name}, (error) => {
          log.error('an export of an account broke', describeError(error))
          client?.destroy()
        })
      },
    }),
    managementRoute('POST', '/users/me/delete', 'user', {
      limit: 'login',
      body: accountDelete,
      handle: async ({identity, body}) => {
        await requirePassword(identity.userId, body.password, 'password')
        await closeAccount(deps, identity)
        // the account is closed; the job erases what cannot be erased now
        await eraseContents(parts, identity.userId).catch((error: unknown) =>
          log.warn('a deleted account waits to be erased', describeError(error)),
        )
        return new Response(null, {status: 204})
      },
    }),
  ]
}
