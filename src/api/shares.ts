import type {shareCreate, shareUpdate} from '#contract/shares-requests.ts'
import {
  sharedConversation,
  shareLink,
  shareLinkPage,
  type SharedConversation,
  type ShareLink,
  type ShareLinkPage,
} from '#contract/shares.ts'
import type {z} from '#contract/schema.ts'
import {base, createManagementCalls, idPath, type ManagementDeps, type PageQuery} from './management-calls.ts'

/**
 * Links to snapshots of conversations: ours, only if the page's configuration offers `shares`. Loaded with its views.
 * Every call takes an optional `AbortSignal` last and rejects with an `ApiError`.
 */
export const createSharesApi = (deps: ManagementDeps) => {
  const {get, write, remove} = createManagementCalls(deps)
  return {
    /** The user's links, of one conversation or of all. */
    list: (query: PageQuery & {conversation_id?: string}, signal?: AbortSignal): Promise<ShareLinkPage> =>
      get(`${base}/shares/`, shareLinkPage, signal, query),
    /** A link to the conversation as it is now. Rejects with 409 `busy` while answered, `conflict` if too many. */
    create: (body: z.input<typeof shareCreate>, signal?: AbortSignal): Promise<ShareLink> =>
      write('post', `${base}/shares/`, body, shareLink, signal),
    /** A new snapshot under the same link. */
    update: (id: string, body: z.input<typeof shareUpdate>, signal?: AbortSignal): Promise<ShareLink> =>
      write('put', idPath('shares', id), body, shareLink, signal),
    revoke: (id: string, signal?: AbortSignal): Promise<void> => remove(idPath('shares', id), signal),
    /** Reads a shared conversation, without a session. Rejects with 404 for a link that was revoked or never was. */
    read: (id: string, signal?: AbortSignal): Promise<SharedConversation> =>
      get(idPath('shares', id), sharedConversation, signal),
  }
}
