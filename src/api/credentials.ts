import {credential} from '#contract/management.ts'
import {paged} from '#contract/schema.ts'
import {createManagementCalls, base, idPath, type ManagementDeps, type PageQuery} from './management-calls.ts'

const credentialPage = paged(credential)

/**
 * API keys and keys of browsers, beside the call that makes one (contract/platform §3, 6–9). Loaded with the console.
 * Every call takes an optional `AbortSignal` last and rejects with an `ApiError`.
 */
export const createCredentialsApi = (deps: ManagementDeps) => {
  const {get, remove} = createManagementCalls(deps)
  return {
    list: (query: PageQuery & {user_id?: string; application_id?: string}, signal?: AbortSignal) =>
      get(`${base}/credentials/`, credentialPage, signal, query),
    get: (id: string, signal?: AbortSignal) => get(idPath('credentials', id), credential, signal),
    remove: (id: string, signal?: AbortSignal) => remove(idPath('credentials', id), signal),
  }
}
