import {and, eq} from 'drizzle-orm'
import {shareCreate, shareQuery, shareUpdate} from '#contract/shares-requests.ts'
import type {z} from '#contract/schema.ts'
import type {SharedConversation} from '#contract/shares.ts'
import {isOurId, messagesOf} from '../ai/conversations.ts'
import type {ServerDeps} from '../deps.ts'
import {serveFile} from '../files/serve-file.ts'
import {notFound} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {servicePath} from '../platform/addresses.ts'
import {present} from '../platform/fields.ts'
import {pageOf, readPage} from '../platform/paging.ts'
import {files} from '../store/schema/files.ts'
import {shares} from '../store/schema/shares.ts'
import {createShare, findShare, findSharedFiles, revokeShare, shareViews, updateShare} from './share-store.ts'
import {nameFiles, titleForReaders, withFileAddresses} from './snapshot.ts'

const sortColumns = {created_at: shares.createdAt, updated_at: shares.updatedAt}
/** The owner can revoke a share at any moment, so no cache and no search engine keeps it. */
const unlistedHeaders = {'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex, nofollow, noarchive'}

/**
 * Links to read-only snapshots of conversations (ours, docs/decisions/0059). The link's 128 random bits alone let
 * a reader in; unknown and revoked ones are the same 404.
 */
export function shareRoutes(deps: ServerDeps): Route[] {
  const nameOf = ({id = ''}: Record<string, string>) => id

  return [
    managementRoute('GET', '/shares/', 'user', {
      query: shareQuery,
      handle: async ({identity: {userId}, query}) => Response.json(await listShares(deps, userId, query)),
    }),
    managementRoute('POST', '/shares/', 'user', {
      limit: 'share',
      body: shareCreate,
      handle: async ({identity: {userId}, body}) => {
        const {conversation_id: conversationId, attachments} = body
        return Response.json(await createShare(deps, {userId, conversationId, attachments}), {status: 201})
      },
    }),
    managementRoute('PUT', '/shares/:id', 'user', {
      limit: 'share',
      body: shareUpdate,
      handle: async ({identity: {userId}, body, params}) =>
        Response.json(await updateShare(deps, {userId, id: nameOf(params), ...body})),
    }),
    managementRoute('DELETE', '/shares/:id', 'user', {
      handle: async ({identity: {userId}, params}) => {
        await revokeShare(deps, {userId, id: nameOf(params)})
        return new Response(null, {status: 204})
      },
    }),
    managementRoute('GET', '/shares/:id', 'public', {
      limit: 'share',
      handle: async ({params}) => Response.json(await readShared(deps, nameOf(params)), {headers: unlistedHeaders}),
    }),
    managementRoute('GET', '/shares/:id/files/:handle/:name', 'public', {
      handle: ({params, context}) =>
        serveSharedFile(deps, context.req.raw, {id: nameOf(params), handle: params.handle, name: params.name}),
    }),
  ]
}

async function listShares({database}: ServerDeps, userId: string, query: z.infer<typeof shareQuery>) {
  const page = pageOf(query, sortColumns, shares.id)
  const {conversation_id: conversation} = query
  if (conversation !== undefined && !isOurId(conversation)) return {count: 0, items: [], files: false}
  const filter = and(
    eq(shares.userId, userId),
    conversation === undefined ? undefined : eq(shares.conversationId, conversation),
  )
  return database.asUser(userId, async (transaction) => {
    const {rows, count} = await readPage(transaction, shares, filter, page)
    const items = await shareViews(transaction, rows)
    if (conversation === undefined) return {count, items}
    return {count, items, files: nameFiles(await messagesOf(transaction, conversation))}
  })
}

async function readShared(deps: ServerDeps, id: string): Promise<SharedConversation> {
  const row = await findShare(deps, id)
  if (row === undefined) throw notFound()
  const base = `${servicePath(deps.config)}/api/v1/shares/${row.id}/files`
  return {
    // an older snapshot may have an address in its title
    ...present({title: titleForReaders(row.title ?? '') || undefined}),
    messages: withFileAddresses(row.messages, base),
    updated_at: row.updatedAt.toISOString(),
  }
}

async function serveSharedFile(
  deps: ServerDeps,
  request: Request,
  {id, handle, name}: {id: string; handle: string | undefined; name: string | undefined},
): Promise<Response> {
  const share = await findSharedFiles(deps, id)
  const sharedFile = share?.files.find((file) => file.handle === handle && file.name === name)
  if (share === undefined || sharedFile === undefined) throw notFound()
  const [row] = await deps.database.asSystem((transaction) =>
    transaction
      .select()
      .from(files)
      .where(and(eq(files.storedAs, sharedFile.storedAs), eq(files.userId, share.userId))),
  )
  if (row === undefined) throw notFound()
  // the share's handle makes the ETag, since the file's own id is its capability;
  // always through the server: a signed address would outlive the link
  const response = await serveFile(deps, request, {...row, id: sharedFile.handle})
  for (const [header, value] of Object.entries(unlistedHeaders)) response.headers.set(header, value)
  return response
}
