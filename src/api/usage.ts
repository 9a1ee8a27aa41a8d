import type {ListAnswer} from '#contract/schema.ts'
import {
  apiUsage,
  apiUsagePage,
  serviceApi,
  serviceApiPage,
  usageTotals,
  type ApiUsage,
  type ServiceApi,
  type UsageTotals,
} from '#contract/usage.ts'
import {ApiError} from './api-error.ts'
import {download} from './download.ts'
import {base, createManagementCalls, type ManagementDeps, type Many, type PageQuery} from './management-calls.ts'

/** Which rows are meant. Times are ISO 8601; both bounds belong to the range. */
export type UsageFilter = {
  application_id?: Many<string>
  api_id?: Many<string>
  created_at_min?: string
  created_at_max?: string
}
export type UsageQuery = PageQuery & UsageFilter & {user_id?: string}
export type UsageTotalsQuery = UsageFilter & {step?: UsageTotals['step']; time_zone?: string}

/**
 * Usage and the APIs it is counted by (contract/platform §3). Loaded with the console. Every call takes an optional
 * `AbortSignal` last and rejects with an `ApiError`.
 */
export const createUsageApi = (deps: ManagementDeps) => {
  const {send} = createManagementCalls(deps)
  const usage = `${base}/usage`
  return {
    /** `count` is the number of all rows that match. */
    list: (query: UsageQuery, signal?: AbortSignal): Promise<ListAnswer<ApiUsage>> =>
      send({method: 'get', path: `${usage}/apis/`, query, answer: apiUsagePage, isLenient: true, signal}),
    get: (id: string, signal?: AbortSignal): Promise<ApiUsage> =>
      send({method: 'get', path: `${usage}/apis/${encodeURIComponent(id)}`, answer: apiUsage, signal}),
    /**
     * Our extension: only if the page's configuration offers `usage-totals`. Sums over all pages, by API, by class of
     * status and by hour or day of `time_zone`, or of UTC where the server does not know that (a zone may be newer than
     * the server): the answer says which. Rejects with 400 for a range with too many hours or days (`created_at_min`).
     */
    totals: async (query: UsageTotalsQuery, signal?: AbortSignal): Promise<UsageTotals> => {
      const read = (totalsQuery: UsageTotalsQuery) =>
        send({method: 'get', path: `${usage}/totals`, query: totalsQuery, answer: usageTotals, signal})
      try {
        return await read(query)
      } catch (error) {
        if (!(error instanceof ApiError) || error.field !== 'time_zone') throw error
        return read({...query, time_zone: 'UTC'})
      }
    },
    /** Our extension, if the page's configuration offers `usage-totals`: the rows of all pages as CSV, newest first. */
    exportRows: (query: UsageFilter, signal?: AbortSignal) =>
      download(deps, {path: '/usage/export', query, name: 'usage.csv', signal}),
    /** Every API of the installation. */
    apis: (query: PageQuery, signal?: AbortSignal): Promise<ListAnswer<ServiceApi>> =>
      send({method: 'get', path: `${base}/apis/`, query, answer: serviceApiPage, signal}),
    api: (id: string, signal?: AbortSignal): Promise<ServiceApi> =>
      send({method: 'get', path: `${base}/apis/${encodeURIComponent(id)}`, answer: serviceApi, signal}),
    apisOf: (serviceId: string, query: PageQuery, signal?: AbortSignal): Promise<ListAnswer<ServiceApi>> => {
      const path = `${base}/services/${encodeURIComponent(serviceId)}/apis/`
      return send({method: 'get', path, query, answer: serviceApiPage, signal})
    },
  }
}
