import {createCredentialsApi} from '#api/credentials.ts'
import {createManagementApi} from '#api/management.ts'
import {
  base,
  createManagementCalls,
  idPath,
  type ManagementDeps,
  type Many,
  type PageQuery,
} from '#api/management-calls.ts'
import {createUsersApi} from '#api/users.ts'
import {application, service, site, sitePage, type serviceWrite, type Site} from '#contract/management.ts'
import {paged, type z} from '#contract/schema.ts'

type ServiceQuery = PageQuery & {id?: Many<string>}
type SiteQuery = PageQuery & {origin?: string}
type ServiceWrite = z.input<typeof serviceWrite>

/** The management API with the parts that pages bring along, and the calls of the specification that no page makes. */
export function createWholeManagement(deps: ManagementDeps) {
  const api = createManagementApi(deps)
  const {get, getLeniently, write, remove} = createManagementCalls(deps)
  return {
    ...api,
    applications: {
      ...api.applications,
      update: (id: string, body: object) => write('put', idPath('applications', id), body, application),
      remove: (id: string) => remove(idPath('applications', id)),
    },
    services: {
      ...api.services,
      list: (query: ServiceQuery) => getLeniently(`${base}/services/`, paged(service), undefined, query),
      create: (body: ServiceWrite) => write('post', `${base}/services/`, body, service),
      update: (id: string, body: ServiceWrite) => write('put', idPath('services', id), body, service),
      remove: (id: string) => remove(idPath('services', id)),
    },
    sites: {
      ...api.sites,
      list: (query: SiteQuery) => get(`${base}/sites/`, sitePage, undefined, query),
      get: (id: string) => get(idPath('sites', id), site),
      create: (body: Site) => write('post', `${base}/sites/`, body, site),
    },
    credentials: {...api.credentials, ...createCredentialsApi(deps)},
    users: {...api.users, ...createUsersApi(deps)},
  }
}
