import {noToken} from '#domain/failure.ts'
import {ApiError} from './api-error.ts'

/** The key of an application that calls of the AI host carry. */
export type HostCredential = {
  /** Undefined while there is none. */
  token: () => string | undefined
  /** Resolves with another token than the refused one, once there is one. Rejects when there will be none. */
  renew: (refused: string | undefined, signal: AbortSignal | null | undefined) => Promise<string>
}

/** @param caller one that has left by the time of a repetition gets none, where `init.signal` does not say so */
export type HostFetch = (
  input: RequestInfo | URL,
  init?: RequestInit,
  caller?: AbortSignal,
) => ReturnType<typeof globalThis.fetch>

/**
 * `fetch` for the AI host. Requests wait for a credential while there is none. One that is answered 401 is sent once
 * more with another credential; if none comes, its answer is the 401. Rejects with `no token` where nothing can be sent
 * (spec §5).
 */
export const createHostFetch =
  (fetch: typeof globalThis.fetch, credential: HostCredential): HostFetch =>
  async (input, init, caller) => {
    const send = (token: string) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${token}`)
      return fetch(input, {...init, headers})
    }
    const token = credential.token()
    const response = token === undefined ? undefined : await send(token)
    if (response !== undefined && response.status !== 401) return response
    const newToken = await credential.renew(token, init?.signal).catch(() => undefined)
    if (newToken !== undefined && caller?.aborted !== true) return send(newToken)
    if (response === undefined) throw new ApiError(noToken)
    return response
  }
