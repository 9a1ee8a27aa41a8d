import {createChatApi, type ChatApi} from '#api/chat.ts'
import {createHostFetch, type HostCredential} from '#api/credential-fetch.ts'
import type {FilesApi} from '#api/files.ts'
import {createManagementApi, managementHeaders, type ManagementApi} from '#api/management.ts'
import type {ManagementDeps} from '#api/management-calls.ts'
import {createOAuthApi, type OAuthApi} from '#api/oauth.ts'
import {loadPart} from '#ui/load-part.ts'
import type {RootDeps} from './root-deps.ts'
import {createServerClock, observed, type ServerClock} from './server-clock.ts'

/** The caller at this moment, read from the actors for every call. */
export type CallerFacts = {
  accessToken: () => string | undefined
  userId: () => string | undefined
  language: () => string
  fingerprint: () => string | undefined
  credential: HostCredential
  /** A management call with this bearer was answered 401. */
  onUnauthorized: (bearer: string) => void
}

export type Services = {
  management: ManagementApi
  /** The same calls with a token that is not the session's yet. */
  managementAs: (accessToken: string) => ManagementApi
  oauth: OAuthApi
  chat: ChatApi
  /** As the answers about conversations tell it. */
  clock: ServerClock
  /** Loaded with the first upload. */
  files: () => Promise<FilesApi>
  /** A client that a screen brings along, such as `createOrdersApi`, with the session's token. */
  client: <Api>(create: (deps: ManagementDeps) => Api) => Api
}

/** The typed clients of the four services (docs/architecture.md §3). */
export function createServices(deps: RootDeps, caller: CallerFacts): Services {
  const {config, fetch, log, createRequest, joinsDeltas, page, timers} = deps
  const clock = createServerClock(timers.now)
  const common = {language: caller.language, fingerprint: caller.fingerprint}
  const onUnauthorized = ({bearer}: {bearer: string | undefined}) => {
    if (bearer !== undefined) caller.onUnauthorized(bearer)
  }
  const managementDeps = (accessToken: () => string | undefined) => ({
    fetch,
    baseUrl: config.platform,
    log,
    isOnline: () => page.isOnline(),
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
      fetch: createHostFetch(observed(fetch, clock), caller.credential),
      baseUrl: config.api,
      log,
      joinsDeltas,
      loadPart,
      headers: () => ({'accept-language': caller.language()}),
    }),
    clock,
    files: async () => {
      const {createFilesApi} = await loadPart(() => import('#api/files.ts'))
      const {accessToken} = caller
      return createFilesApi({createRequest, config, accessToken, onUnauthorized})
    },
    client: (create) => create(managementDeps(caller.accessToken)),
  }
}
