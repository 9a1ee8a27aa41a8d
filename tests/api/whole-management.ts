import {createCredentialsApi} from '#api/credentials.ts'
import {createManagementApi} from '#api/management.ts'
import type {ManagementDeps} from '#api/management-calls.ts'
import {createUsersApi} from '#api/users.ts'

/** The management API with the parts that pages bring along. */
export function createWholeManagement(deps: ManagementDeps) {
  const api = createManagementApi(deps)
  return {
    ...api,
    credentials: {...api.credentials, ...createCredentialsApi(deps)},
    users: {...api.users, ...createUsersApi(deps)},
  }
}
