import {serviceApiQuery} from '#contract/usage-requests.ts'
import type {ServiceApi} from '#contract/usage.ts'
import type {ServerDeps} from '../deps.ts'
import {notFound} from '../http/failure.ts'
import {route, type Route} from '../http/route.ts'
import {idOf} from './fields.ts'
import {pageOfList} from './paging.ts'
import {findService} from './services.ts'

/** All were made with the build: `created_at` keeps the order of the list. */
const orders = ['created_at', 'title', 'name'] as const

/** The APIs of the installation (contract/platform §3, 15–20): read by everybody signed in, part of the build. */
export const apiRoutes = (deps: ServerDeps, apis: readonly ServiceApi[]): Route[] => [
  route({
    service: 'platform',
    method: 'GET',
    path: '/api/v1/apis/',
    policy: 'user',
    query: serviceApiQuery,
    handle: ({query}) => Response.json(pageOfList(apis, query, orders)),
  }),
  route({
    service: 'platform',
    method: 'GET',
    path: '/api/v1/apis/:id',
    policy: 'user',
    handle: ({params}) => {
      const wanted = idOf(params)
      const api = apis.find(({id}) => id === wanted.toLowerCase())
      if (api === undefined) throw notFound()
      return Response.json(api)
    },
  }),
  route({
    service: 'platform',
    method: 'GET',
    path: '/api/v1/services/:id/apis/',
    policy: 'user',
    query: serviceApiQuery,
    handle: async ({identity, params, query}) => {
      const wanted = idOf(params)
      const service = await deps.database.asUser(identity.userId, (transaction) => findService(transaction, wanted))
      if (service === undefined) throw notFound()
      const own = apis.filter((api) => api.service_id === service.id)
      return Response.json(pageOfList(own, query, orders))
    },
  }),
]
