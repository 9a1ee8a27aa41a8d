import {eq, inArray} from 'drizzle-orm'
import {chatServiceId} from '#contract/chat.ts'
import {service as serviceSchema, serviceQuery, serviceWrite} from '#contract/management.ts'
import {optional, z} from '#contract/schema.ts'
import type {Identity} from '../auth/identity.ts'
import type {ServerDeps} from '../deps.ts'
import {HttpFailure, notFound} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import type {Transaction} from '../store/database.ts'
import {applications, services} from '../store/schema/platform.ts'
import {refuseForeignImage} from './addresses.ts'
import {idOf, isUuid, refuseChanged} from './fields.ts'
import {pageOf, readPage} from './paging.ts'
import {appliedServices, findService, serviceView, type Catalogues} from './services.ts'

const sortColumns = {created_at: services.createdAt, updated_at: services.updatedAt, title: services.title}

/** Keys of a read service that PUT takes back unread: they are computed, or the same for every writer. */
const {id, applied, applied_count, name, packages, created_at, updated_at} = serviceSchema.shape
const wholeServiceWrite = z.extend(serviceWrite, {
  id: optional(id),
  applied,
  applied_count,
  name,
  packages,
  created_at,
  updated_at,
})

/** Services (spec §7): everybody signed in reads them, operators alone write them (policy `operator`, else 403). */
export function serviceRoutes(deps: ServerDeps, catalogues: Catalogues): Route[] {
  return [
    managementRoute('GET', '/services/', 'user', {
      query: serviceQuery,
      handle: async ({identity, query}) => Response.json(await listServices(deps, catalogues, identity, query)),
    }),
    managementRoute('GET', '/services/:id', 'user', {
      handle: async ({identity, params}) => {
        const wantedId = idOf(params)
        const entry = await deps.database.asUser(identity.userId, async (transaction) => {
          const row = await findService(transaction, wantedId)
          return row && {row, applied: await appliedServices(transaction, [row])}
        })
        if (!entry) throw notFound()
        return Response.json(await serviceView(entry.row, catalogues, entry.applied.has(entry.row.id)))
      },
    }),
    managementRoute('POST', '/services/', 'operator', {
      body: serviceWrite,
      handle: async ({body, origin}) => {
        const [row] = await deps.database.asSystem((transaction) =>
          transaction
            .insert(services)
            .values(valuesOf(deps, body, origin))
            .returning(),
        )
        if (!row) throw new Error('The new service was not returned')
        return Response.json(await serviceView(row, catalogues, false), {status: 201})
      },
    }),
    managementRoute('PUT', '/services/:id', 'operator', {
      body: wholeServiceWrite,
      handle: async ({params, body, origin}) => {
        const wantedId = idOf(params)
        refuseChanged(body, {id: wantedId}, ['id'])
        const [row] = await deps.database.asSystem((transaction) =>
          transaction
            .update(services)
            .set({...valuesOf(deps, body, origin), updatedAt: deps.now()})
            .where(eq(services.id, wantedId))
            .returning(),
        )
        if (!row) throw notFound()
        return Response.json(await serviceView(row, catalogues, false))
      },
    }),
    managementRoute('DELETE', '/services/:id', 'operator', {
      handle: async ({params}) => {
        const wantedId = idOf(params)
        if (wantedId === chatServiceId || catalogues.media.has(wantedId))
          throw new HttpFailure(409, 'conflict', 'serviceStays')
        await deps.database.asSystem((transaction) => removeService(transaction, wantedId))
        return new Response(null, {status: 204})
      },
    }),
  ]
}

/** The columns of what an operator writes. */
function valuesOf({config}: ServerDeps, body: z.infer<typeof serviceWrite>, origin: string | undefined) {
  refuseForeignImage(config, origin, 'thumbnail', body.thumbnail)
  return {
    title: body.title,
    unit: body.unit,
    price: body.price?.toFixed(6),
    description: body.description,
    introduction: body.introduction,
    thumbnail: body.thumbnail,
    freeAmount: body.free_amount?.toFixed(6),
    tags: body.tags,
    metadata: body.metadata,
  }
}

/** One page of services, with what this user has applied for. */
async function listServices(
  {database}: ServerDeps,
  catalogues: Catalogues,
  {userId}: Identity,
  query: z.infer<typeof serviceQuery>,
) {
  const page = pageOf(query, sortColumns, services.id)
  const filter = query.id && inArray(services.id, query.id.filter(isUuid))
  const {rows, count, applied} = await database.asUser(userId, async (transaction) => {
    const answer = await readPage(transaction, services, filter, page)
    return {...answer, applied: await appliedServices(transaction, answer.rows)}
  })
  return {count, items: await Promise.all(rows.map((row) => serviceView(row, catalogues, applied.has(row.id))))}
}

/** Deletes a service that no application refers to. */
async function removeService(transaction: Transaction, serviceId: string): Promise<void> {
  // The row lock keeps a new application from referring to it between the count and the delete.
  const [row] = await transaction.select().from(services).where(eq(services.id, serviceId)).for('update')
  if (!row) throw notFound()
  const count = await transaction.$count(applications, eq(applications.serviceId, serviceId))
  if (count > 0) throw new HttpFailure(409, 'conflict', 'serviceUsed', {values: {count}})
  await transaction.delete(services).where(eq(services.id, serviceId))
}
