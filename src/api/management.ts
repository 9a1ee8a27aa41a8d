import {
  application,
  applicationPage,
  credential,
  exchangeRate,
  runningTasks,
  service,
  site,
  sitePage,
  uploadedFile,
  user,
  type applicationCreate,
  type applicationScopes,
  type applicationTypes,
  type credentialCreate,
  type Site,
} from '#contract/management.ts'
import type {z} from '#contract/schema.ts'
import {
  base,
  createManagementCalls,
  idPath,
  type ManagementDeps,
  type Many,
  type PageQuery,
} from './management-calls.ts'

/** Identity and context of a management call (contract/platform §1). */
export type Caller = {accessToken?: string; language?: string; fingerprint?: string; userId?: string}

/** Only known values are sent. `x-user-id` is for compatibility: our server trusts the token alone. */
export const managementHeaders = ({accessToken, language, fingerprint, userId}: Caller): Record<string, string> => ({
  ...(accessToken ? {authorization: `Bearer ${accessToken}`} : {}),
  ...(language ? {'accept-language': language} : {}),
  ...(fingerprint ? {'x-fingerprint': fingerprint} : {}),
  ...(userId ? {'x-user-id': userId} : {}),
})

export type ApplicationQuery = PageQuery & {
  user_id?: string
  service_id?: Many<string>
  type?: Many<(typeof applicationTypes)[number]>
  scope?: Many<(typeof applicationScopes)[number]>
}

/**
 * The management API (spec §7), as far as the first script uses it; pages bring other calls along. Every call takes an
 * optional `AbortSignal` last, resolves with the parsed answer and rejects with an `ApiError`.
 */
export const createManagementApi = (deps: ManagementDeps) => {
  const {send, get, getKept, getLeniently, write} = createManagementCalls(deps)

  return {
    applications: {
      list: (query: ApplicationQuery, signal?: AbortSignal) =>
        get(`${base}/applications/`, applicationPage, signal, query),
      get: (id: string, signal?: AbortSignal) => get(idPath('applications', id), application, signal),
      /** Rejects with code `duplication` if it already exists. */
      create: (body: z.input<typeof applicationCreate>, signal?: AbortSignal) =>
        write('post', `${base}/applications/`, body, application, signal),
    },
    services: {
      get: (id: string, signal?: AbortSignal) => getLeniently(idPath('services', id), service, signal),
    },
    credentials: {
      create: (body: z.input<typeof credentialCreate>, signal?: AbortSignal) =>
        write('post', `${base}/credentials/`, body, credential, signal),
    },
    sites: {
      initialize: (origin: string, signal?: AbortSignal) =>
        write('post', `${base}/sites/initialize/`, {origin}, site, signal),
      /** The first site of an origin (spec §7), if any. */
      findByOrigin: async (origin: string, signal?: AbortSignal): Promise<Site | undefined> => {
        const {items} = await getKept(`${base}/sites/`, sitePage, signal, {origin})
        return items[0]
      },
      /** Replaces the whole site: merge the changed key in first (contract/platform §3). */
      update: (id: string, body: Site, signal?: AbortSignal) => write('put', idPath('sites', id), body, site, signal),
    },
    users: {
      me: (signal?: AbortSignal) => getKept(`${base}/users/me`, user, signal),
    },
    /** Our extension: only if the page's configuration offers `running`. */
    runningTasks: (signal?: AbortSignal) => get(`${base}/tasks/running`, runningTasks, signal),
    /**
     * Our extension: only if the page's configuration offers `renewable-files`. Gives one of the user's files a new
     * address; the old one is 404 from then on. Rejects with `busy` while a running task uses the file.
     */
    renewFile: (id: string, signal?: AbortSignal) =>
      send({method: 'post', path: `${idPath('files', id)}/renew`, answer: uploadedFile, signal}),
    /** Currency codes in lower case. Never call it with two equal currencies (spec §5). */
    exchangeRate: (source: string, target: string, signal?: AbortSignal) =>
      send({
        method: 'post',
        path: `${base}/exchange-rate`,
        body: {source, target},
        answer: exchangeRate,
        isRead: true,
        signal,
      }),
  }
}

export type ManagementApi = ReturnType<typeof createManagementApi>
