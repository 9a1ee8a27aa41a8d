import {user, type userWrite} from '#contract/management.ts'
import type {z} from '#contract/schema.ts'
import {inviteePage, verification} from '#contract/users.ts'
import {base, createManagementCalls, type ManagementDeps, type PageQuery} from './management-calls.ts'

/**
 * Calls of the management API about users (contract/platform §3, 27–30), beside the one that reads who is signed in.
 * Loaded with the pages that make them. Every call takes an optional `AbortSignal` last and rejects with an `ApiError`.
 */
export const createUsersApi = (deps: ManagementDeps) => {
  const {get, write} = createManagementCalls(deps)
  return {
    updateMe: (body: z.input<typeof userWrite>, signal?: AbortSignal) =>
      write('put', `${base}/users/me`, body, user, signal),
    invitees: (query: PageQuery, signal?: AbortSignal) => get(`${base}/users/me/invitees`, inviteePage, signal, query),
    verification: (signal?: AbortSignal) => get(`${base}/users/verify`, verification, signal),
    verify: (code: string, signal?: AbortSignal) => write('put', `${base}/users/verify`, {code}, verification, signal),
  }
}
