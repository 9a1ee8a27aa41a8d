import {and, arrayContains, eq} from 'drizzle-orm'
import {siteInitialize, siteQuery, siteWrite} from '#contract/management.ts'
import type {Identity} from '../auth/identity.ts'
import type {ServerDeps} from '../deps.ts'
import {forbidden, notFound} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {forgetFace} from '../http/site-faces.ts'
import {sites} from '../store/schema/platform.ts'
import {idOf} from './fields.ts'
import {pageOf, readPage} from './paging.ts'
import {placeholderOrigin} from './placeholder-origin.ts'
import {administers, createSite, initializeSite, siteView, updateSite} from './sites.ts'

const sortColumns = {
  created_at: sites.createdAt,
  updated_at: sites.updatedAt,
  origin: sites.origin,
  title: sites.title,
}

/** Sites of the installation (spec §7): one per origin, administered by people, readable by origin before sign-in. */
export function siteRoutes(deps: ServerDeps): Route[] {
  const findAdministered = async (id: string, identity: Identity) => {
    const [row] = await deps.database.asSystem((transaction) =>
      transaction.select().from(sites).where(eq(sites.id, id)),
    )
    if (!row || !administers(row, identity)) throw notFound()
    return row
  }

  return [
    managementRoute('GET', '/sites/', 'public', {
      query: siteQuery,
      handle: async ({identity, query}) => {
        const page = pageOf(query, sortColumns, sites.id)
        // Without an origin the list holds what the caller administers: the tenants are nobody else's business.
        if (!query.origin && !identity) return Response.json({count: 0, items: []})
        const own =
          identity && identity.role !== 'operator' ? arrayContains(sites.admins, [identity.userId]) : undefined
        const filter = query.origin ? eq(sites.origin, query.origin) : and(own)
        return deps.database.asSystem(async (transaction) => {
          const {rows, count} = await readPage(transaction, sites, filter, page)
          return Response.json({count, items: rows.map((row) => siteView(row, identity))})
        })
      },
    }),
    managementRoute('POST', '/sites/initialize/', 'user', {
      body: siteInitialize,
      handle: async ({identity, body, origin}) => {
        const isPlaceholder = body.origin === (await placeholderOrigin(deps))
        if (body.origin !== origin && !isPlaceholder) {
          throw forbidden('siteOwnPage')
        }
        const site = await initializeSite(deps, identity, {origin: body.origin, isPlaceholder})
        forgetFace(deps.database, site.origin)
        return Response.json(siteView(site, identity))
      },
    }),
    managementRoute('POST', '/sites/', 'operator', {
      body: siteWrite,
      handle: async ({identity, body, origin}) => {
        const site = await createSite(deps, identity, body, origin)
        forgetFace(deps.database, site.origin)
        return Response.json(siteView(site, identity), {status: 201})
      },
    }),
    managementRoute('GET', '/sites/:id', 'user', {
      handle: async ({identity, params}) =>
        Response.json(siteView(await findAdministered(idOf(params), identity), identity)),
    }),
    managementRoute('PUT', '/sites/:id', 'user', {
      body: siteWrite,
      handle: async ({identity, params, body, origin}) => {
        const row = await findAdministered(idOf(params), identity)
        const site = await updateSite(deps, identity, {row, body, requestOrigin: origin})
        forgetFace(deps.database, site.origin)
        return Response.json(siteView(site, identity))
      },
    }),
  ]
}
