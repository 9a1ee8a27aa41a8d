import {accountSessionPage, type AccountSession} from '#contract/account.ts'
import type {accountDelete, passwordChange} from '#contract/account-requests.ts'
import {z, type ListAnswer} from '#contract/schema.ts'
import {download} from './download.ts'
import {base, createManagementCalls, type ManagementDeps, type PageQuery} from './management-calls.ts'

/**
 * Users manage their account: ours, only if the page's configuration offers `account`. Loaded with its screen. Every
 * call takes an optional `AbortSignal` last and rejects with an `ApiError`.
 */
export const createAccountApi = (deps: ManagementDeps) => {
  const {send} = createManagementCalls(deps)
  const me = `${base}/users/me`
  const write = async (path: string, body: object, signal?: AbortSignal): Promise<void> => {
    await send({method: 'post', path: `${me}${path}`, body, answer: z.unknown(), signal})
  }
  return {
    /**
     * Ends all other sessions and revokes their keys; this one goes on. Rejects with 400 and field `current_password`
     * if that is wrong, `new_password` if that is too short, 429 after ten attempts.
     */
    changePassword: (body: z.input<typeof passwordChange>, signal?: AbortSignal) => write('/password', body, signal),
    /** The user's live sessions, the one that asks among them (`current`). */
    sessions: (query: PageQuery, signal?: AbortSignal): Promise<ListAnswer<AccountSession>> =>
      send({method: 'get', path: `${me}/sessions`, query, answer: accountSessionPage, signal}),
    /** Ends a session and revokes its keys at once. */
    endSession: async (id: string, signal?: AbortSignal): Promise<void> => {
      const path = `${me}/sessions/${encodeURIComponent(id)}`
      await send({method: 'delete', path, answer: z.unknown(), signal})
    },
    /** Everything stored of the user, own files included, as a ZIP. */
    exportData: (signal?: AbortSignal) => download(deps, {path: '/users/me/export', name: 'atrium.zip', signal}),
    /**
     * Deletes the account for good: running tasks are cancelled, sessions and keys end at once. Rejects with 400 and
     * field `password` if that is wrong, 409 `conflict` for the last operator of the installation.
     */
    remove: (body: z.input<typeof accountDelete>, signal?: AbortSignal) => write('/delete', body, signal),
  }
}
