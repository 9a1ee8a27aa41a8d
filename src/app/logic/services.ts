import type {AccountApi} from '#api/account.ts'
import {createChatApi, type ChatApi} from '#api/chat.ts'
import {credentialHeaders} from '#api/credential-headers.ts'
import type {DistributionApi} from '#api/distribution.ts'
import type {FilesApi} from '#api/files.ts'
import {createManagementApi, managementHeaders, type ManagementApi} from '#api/management.ts'
import {createOAuthApi, type OAuthApi} from '#api/oauth.ts'
import type {OrdersApi} from '#api/orders.ts'
import type {UsageApi} from '#api/usage.ts'
import {loadPart} from '#ui/load-part.ts'
import type {RootDeps} from './root-deps.ts'

/** Who calls right now, read from the actors for every call. */
export type CallerFacts = {
  accessToken: () => string | undefined
  userId: () => string | undefined
  language: () => string
  fingerprint: () => string | undefined
  credentialToken: () => string | undefined
  /** A management call with this bearer was answered 401. */
  onUnauthorized: (bearer: string) => void
}

export type Services = {
  management: ManagementApi
  /** The same calls with a token that is not the session's yet. */
  managementAs: (accessToken: string) => ManagementApi
  oauth: OAuthApi
  chat: ChatApi
  /** Loaded with the first upload. */
  files: () => Promise<FilesApi>
  /** Loaded with the first screen of orders. */
  orders: () => Promise<OrdersApi>
  /** Loaded with the screen of usage. */
  usage: () => Promise<UsageApi>
  /** Loaded with the screens of the referral programme. */
  distribution: () => Promise<DistributionApi>
  /** Loaded with the profile. */
  account: () => Promise<AccountApi>
}

/** The typed clients of the four services (docs/architecture.md §3). */
export function createServices(deps: RootDeps, caller: CallerFacts): Services {
  const {config, fetch, log, createRequest, frames} = deps
  const common = {language: caller.language, fingerprint: caller.fingerprint}
  const onUnauthorized = ({bearer}: {bearer: string | undefined}) => {
    if (bearer !== undefined) caller.onUnauthorized(bearer)
  }
  const managementDeps = (accessToken: () => string | undefined) => ({
    fetch,
    baseUrl: config.platform,
    log,
    headers: () =>
      managementHeaders({
        accessToken: accessToken(),
        userId: caller.userId(),
        language: common.language(),
        fingerprint: common.fingerprint(),
      }),
    onUnauthorized,
  })
  const management = createManagementApi(managementDeps(caller.accessToken))
  return {
    management,
    managementAs: (accessToken) => createManagementApi(managementDeps(() => accessToken)),
    oauth: createOAuthApi({fetch, baseUrl: config.auth, log, headers: () => ({'accept-language': common.language()})}),
    chat: createChatApi({
      fetch,
      baseUrl: config.api,
      log,
      frames,
      loadPart,
      headers: (): Record<string, string> => {
        const token = caller.credentialToken()
        return token === undefined ? {} : credentialHeaders(token, caller.language())
      },
    }),
    files: async () => {
      const {createFilesApi} = await loadPart(() => import('#api/files.ts'))
      const {accessToken} = caller
      return createFilesApi({createRequest, baseUrl: config.platform, accessToken, onUnauthorized})
    },
    orders: async () => {
      const {createOrdersApi} = await loadPart(() => import('#api/orders.ts'))
      return createOrdersApi(managementDeps(caller.accessToken))
    },
    usage: async () => {
      const {createUsageApi} = await loadPart(() => import('#api/usage.ts'))
      return createUsageApi(managementDeps(caller.accessToken))
    },
    distribution: async () => {
      const {createDistributionApi} = await loadPart(() => import('#api/distribution.ts'))
      return createDistributionApi(managementDeps(caller.accessToken))
    },
    account: async () => {
      const {createAccountApi} = await loadPart(() => import('#api/account.ts'))
      return createAccountApi(managementDeps(caller.accessToken))
    },
  }
}
