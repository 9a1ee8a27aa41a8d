import {
  distributionHistoryPage,
  distributionLevelPage,
  distributionStatus,
  distributionStatusPage,
  shortUrl,
  type DistributionHistory,
  type DistributionLevel,
  type DistributionStatus,
} from '#contract/distribution.ts'
import type {ListAnswer} from '#contract/schema.ts'
import {base, createManagementCalls, type ManagementDeps, type PageQuery} from './management-calls.ts'

/** Another user's id finds nothing. */
type OwnPage = PageQuery & {user_id?: string}

/** The upstream service answers with a host that is not the one its links are shared by (contract/platform §3, 46). */
const withSharedHost = (address: string): string =>
  address.replace(/^(https?:\/\/)surl\.id(?=\/|$)/i, '$1share.acedata.cloud')

/**
 * The referral programme (contract/platform §3). Loaded with its screens; invitees are among the calls of users. Every
 * call takes an optional `AbortSignal` last and rejects with an `ApiError`.
 */
export const createDistributionApi = (deps: ManagementDeps) => {
  const {send} = createManagementCalls(deps)
  return {
    /** Makes the user's status, where there is none yet: call it before the others. Repeating it changes nothing. */
    initialize: (signal?: AbortSignal): Promise<DistributionStatus> =>
      send({
        method: 'post',
        path: `${base}/distribution-statuses/initialize/`,
        answer: distributionStatus,
        isRead: true,
        signal,
      }),
    /** The first one is the user's. */
    statuses: (query: OwnPage, signal?: AbortSignal): Promise<ListAnswer<DistributionStatus>> => {
      const path = `${base}/distribution-statuses/`
      return send({method: 'get', path, query, answer: distributionStatusPage, signal})
    },
    /** Ascending by `level` with `ordering: 'level'`. */
    levels: (query: OwnPage, signal?: AbortSignal): Promise<ListAnswer<DistributionLevel>> =>
      send({
        method: 'get',
        path: `${base}/distribution-levels/`,
        query,
        answer: distributionLevelPage,
        signal,
      }),
    /** Sort keys: `created_at`, `price`, `reward`. */
    histories: (query: OwnPage, signal?: AbortSignal): Promise<ListAnswer<DistributionHistory>> => {
      const path = `${base}/distribution-histories/`
      return send({method: 'get', path, query, answer: distributionHistoryPage, signal})
    },
    /** A short link to an address of this installation. Where it fails, show the long one (contract/platform §3). */
    shortLink: async (address: string, signal?: AbortSignal): Promise<string> => {
      const body = {content: address}
      const {data} = await send({
        method: 'post',
        path: `${base}/shorturl`,
        body,
        answer: shortUrl,
        isRead: true,
        signal,
      })
      return withSharedHost(data.url)
    },
  }
}
