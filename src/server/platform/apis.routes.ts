import {inArray} from 'drizzle-orm'
import type {ServedModel} from '#contract/management.ts'
import {serviceApiQuery} from '#contract/usage-requests.ts'
import type {ServiceApi} from '#contract/usage.ts'
import {answerEstimates} from '#domain/answer-estimate.ts'
import type {ServerDeps} from '../deps.ts'
import {notFound} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import type {Transaction} from '../store/database.ts'
import {services} from '../store/schema/platform.ts'
import {idOf} from './fields.ts'
import type {MediaCatalogue} from './media-catalogue.ts'
import {pageOfList} from './paging.ts'
import {chatApi} from './service-apis.ts'
import {findService, type Catalogues} from './services.ts'

/** All were made with the build: `created_at` keeps the order of the list. */
const sortKeys = ['created_at', 'title', 'name'] as const

type Prices = {media: MediaCatalogue; models: readonly ServedModel[]}

/** APIs with the price of a call: of media by stored prices or the tools' own, of the chat by its models'. */
async function withEstimations({media, models}: Prices, transaction: Transaction, apis: readonly ServiceApi[]) {
  const ids = [...new Set(apis.flatMap(({service_id: id}) => id ?? []))]
  const rows =
    ids.length === 0
      ? []
      : await transaction
          .select({id: services.id, metadata: services.metadata})
          .from(services)
          .where(inArray(services.id, ids))
  const metadataById = new Map(rows.map(({id, metadata}) => [id, metadata]))
  return apis.map((api) => {
    const estimation =
      api.name === chatApi
        ? answerEstimates(models)
        : media.estimationOf(api, metadataById.get(api.service_id ?? '') ?? {})
    return estimation.length === 0 ? api : {...api, estimation}
  })
}

/** The APIs of the installation (contract/platform §3, 15–20): read by everybody signed in, part of the build. */
export function apiRoutes({database}: ServerDeps, {chat, media}: Pick<Catalogues, 'chat' | 'media'>): Route[] {
  const {apis} = media
  /** Asked before a transaction begins: a provider may take its time to list its models. */
  const priced = async (wantedApis: readonly ServiceApi[]): Promise<Prices> => ({
    media,
    models: wantedApis.some(({name}) => name === chatApi) ? await chat.models() : [],
  })
  return [
    managementRoute('GET', '/apis/', 'user', {
      query: serviceApiQuery,
      handle: async ({identity, query}) => {
        const {count, items} = pageOfList(apis, query, sortKeys)
        const prices = await priced(items)
        return Response.json({
          count,
          items: await database.asUser(identity.userId, (transaction) => withEstimations(prices, transaction, items)),
        })
      },
    }),
    managementRoute('GET', '/apis/:id', 'user', {
      handle: async ({identity, params}) => {
        const apiId = idOf(params)
        const matches = apis.filter(({id}) => id === apiId.toLowerCase())
        const prices = await priced(matches)
        const [api] = await database.asUser(identity.userId, (transaction) =>
          withEstimations(prices, transaction, matches),
        )
        if (api === undefined) throw notFound()
        return Response.json(api)
      },
    }),
    managementRoute('GET', '/services/:id/apis/', 'user', {
      query: serviceApiQuery,
      handle: async ({identity, params, query}) => {
        const serviceId = idOf(params)
        const serviceApis = apis.filter((api) => api.service_id === serviceId.toLowerCase())
        const {count, items} = pageOfList(serviceApis, query, sortKeys)
        const prices = await priced(items)
        return database.asUser(identity.userId, async (transaction) => {
          if ((await findService(transaction, serviceId)) === undefined) throw notFound()
          return Response.json({count, items: await withEstimations(prices, transaction, items)})
        })
      },
    }),
  ]
}
