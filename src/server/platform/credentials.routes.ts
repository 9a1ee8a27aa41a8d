import {and, eq} from 'drizzle-orm'
import {credentialCreate, credentialQuery} from '#contract/management.ts'
import type {ServerDeps} from '../deps.ts'
import {notFound} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {credentials} from '../store/schema/platform.ts'
import {credentialView, isLive, issueCredential, revokeCredential} from './credentials.ts'
import {idOf, isUuid} from './fields.ts'
import {pageOf, readPage} from './paging.ts'

const sortColumns = {
  created_at: credentials.createdAt,
  updated_at: credentials.updatedAt,
  expired_at: credentials.expiredAt,
  used_amount: credentials.usedAmount,
}

/** Keys of the caller's applications (spec §7). Revoked and expired keys are nowhere to be seen. */
export function credentialRoutes(deps: ServerDeps): Route[] {
  return [
    managementRoute('GET', '/credentials/', 'user', {
      query: credentialQuery,
      handle: async ({identity, query}) => {
        const page = pageOf(query, sortColumns, credentials.id)
        const isElsewhere = query.application_id !== undefined && !isUuid(query.application_id)
        if (isElsewhere || (query.user_id !== undefined && query.user_id !== identity.userId)) {
          return Response.json({count: 0, items: []})
        }
        const filter = and(
          isLive(deps.now()),
          query.application_id === undefined ? undefined : eq(credentials.applicationId, query.application_id),
        )
        return deps.database.asUser(identity.userId, async (transaction) => {
          const {rows, count} = await readPage(transaction, credentials, filter, page)
          return Response.json({
            count,
            items: rows.map((row) => credentialView(deps, row, identity)),
          })
        })
      },
    }),
    managementRoute('GET', '/credentials/:id', 'user', {
      handle: async ({identity, params}) => {
        const id = idOf(params)
        const [row] = await deps.database.asUser(identity.userId, (transaction) =>
          transaction
            .select()
            .from(credentials)
            .where(and(eq(credentials.id, id), isLive(deps.now()))),
        )
        if (!row) throw notFound()
        return Response.json(credentialView(deps, row, identity, {reveals: true}))
      },
    }),
    managementRoute('POST', '/credentials/', 'user', {
      body: credentialCreate,
      handle: async ({identity, body, origin}) => {
        const {row, isNew} = await issueCredential(deps, identity, body, origin)
        return Response.json(credentialView(deps, row, identity, {reveals: true}), {status: isNew ? 201 : 200})
      },
    }),
    managementRoute('DELETE', '/credentials/:id', 'user', {
      handle: async ({identity, params}) => {
        await revokeCredential(deps, identity, idOf(params))
        return new Response(null, {status: 204})
      },
    }),
  ]
}
