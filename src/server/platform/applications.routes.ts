import {and, eq, gt, inArray, isNull, ne, or} from 'drizzle-orm'
import {
  application as applicationSchema,
  applicationCreate,
  applicationQuery,
  applicationScopes,
  applicationTypes,
  applicationUpdate,
} from '#contract/management.ts'
import type {z} from '#contract/schema.ts'
import type {Identity} from '../auth/identity.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest, notFound} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import type {PackageCatalogue} from '../orders/package-catalogue.ts'
import type {Transaction} from '../store/database.ts'
import {applications} from '../store/schema/platform.ts'
import {applicationViews, createApplication, deleteApplication, type ApplicationRow} from './applications.ts'
import {idOf, isUuid, refuseChanged} from './fields.ts'
import {applicationsLimit, pageOf, readPage} from './paging.ts'

const sortColumns = {
  created_at: applications.createdAt,
  updated_at: applications.updatedAt,
  expired_at: applications.expiredAt,
  remaining_amount: applications.remainingAmount,
  used_amount: applications.usedAmount,
}

/** Parts of an application that come from elsewhere; PUT takes them back unread. */
const embeddable = new Set(['service', 'packages', 'credentials'])
const ownKeys = Object.keys(applicationSchema.shape).filter((key) => !embeddable.has(key))

/** `usage` and `Usage` are the same (spec §7 writes the list's filter in lower case). */
const named = <T extends string>(names: readonly T[], wantedNames: readonly string[]): T[] =>
  names.filter((name) => wantedNames.some((text) => text.toLowerCase() === name.toLowerCase()))

/** Leaves out the application of a plan that was never paid: it has had no time, so its owner has no use for it. */
const hasStarted = or(ne(applications.type, 'Period'), gt(applications.expiredAt, applications.createdAt))

/** Whether one kind of application is looked for, as before an order: then the one of an unpaid plan is found too. */
const isForKind = ({type, scope, service_id}: z.infer<typeof applicationQuery>) =>
  type !== undefined && (scope !== undefined || service_id !== undefined)

function filterOf(query: z.infer<typeof applicationQuery>) {
  return and(
    isNull(applications.deletedAt),
    isForKind(query) ? undefined : hasStarted,
    query.service_id && inArray(applications.serviceId, query.service_id.filter(isUuid)),
    query.type && inArray(applications.type, named(applicationTypes, query.type)),
    query.scope && inArray(applications.scope, named(applicationScopes, query.scope)),
  )
}

/** Applications of the caller (spec §3, §4, §7); row-level security lets nobody else's through. */
export function applicationRoutes(deps: ServerDeps, packages: PackageCatalogue): Route[] {
  const find = async (transaction: Transaction, id: string): Promise<ApplicationRow> => {
    const [row] = await transaction
      .select()
      .from(applications)
      .where(and(eq(applications.id, id), isNull(applications.deletedAt)))
    if (!row) throw notFound()
    return row
  }
  const viewOf = async (transaction: Transaction, identity: Identity, row: ApplicationRow) => {
    const [view] = await applicationViews(deps, packages, transaction, identity, [row])
    return view
  }

  return [
    managementRoute('GET', '/applications/', 'user', {
      query: applicationQuery,
      handle: async ({identity, query}) => {
        const page = pageOf(query, sortColumns, applications.id, applicationsLimit)
        if (query.user_id !== undefined && query.user_id !== identity.userId)
          return Response.json({count: 0, items: []})
        const filter = filterOf(query)
        return deps.database.asUser(identity.userId, async (transaction) => {
          const {rows, count} = await readPage(transaction, applications, filter, page)
          const items = await applicationViews(deps, undefined, transaction, identity, rows)
          return Response.json({count, items})
        })
      },
    }),
    managementRoute('GET', '/applications/:id', 'user', {
      handle: async ({identity, params}) => {
        return deps.database.asUser(identity.userId, async (transaction) =>
          Response.json(await viewOf(transaction, identity, await find(transaction, idOf(params)))),
        )
      },
    }),
    managementRoute('POST', '/applications/', 'user', {
      body: applicationCreate,
      handle: async ({identity, body}) => {
        const row = await createApplication(deps, identity, body)
        return deps.database.asUser(identity.userId, async (transaction) =>
          Response.json(await viewOf(transaction, identity, row), {status: 201}),
        )
      },
    }),
    managementRoute('PUT', '/applications/:id', 'user', {
      body: applicationUpdate,
      handle: async ({identity, params, body}) => {
        return deps.database.asUser(identity.userId, async (transaction) => {
          const view = await viewOf(transaction, identity, await find(transaction, idOf(params)))
          if (!view) throw notFound()
          // Kind, balance and owner are settled elsewhere: the whole object is accepted back as it is (security R21).
          const unknown = Object.keys(body).find((key) => !ownKeys.includes(key) && !embeddable.has(key))
          if (unknown !== undefined) throw badRequest('applicationField', unknown)
          refuseChanged(body, view, ownKeys)
          return Response.json(view)
        })
      },
    }),
    managementRoute('DELETE', '/applications/:id', 'user', {
      handle: async ({identity, params}) => {
        await deleteApplication(deps, identity, idOf(params))
        return new Response(null, {status: 204})
      },
    }),
  ]
}
