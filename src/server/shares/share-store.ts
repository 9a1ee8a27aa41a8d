import {randomBytes} from 'node:crypto'
import {and, eq, inArray, sql} from 'drizzle-orm'
import type {ChatMessage} from '#contract/chat.ts'
import {mostShares, type ShareLink} from '#contract/shares.ts'
import {messageText} from '#domain/conversation.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import {lockConversation, toConversations} from '../ai/conversations.ts'
import type {ServerDeps} from '../deps.ts'
import {HttpFailure, notFound} from '../http/failure.ts'
import {present} from '../platform/fields.ts'
import type {Transaction} from '../store/database.ts'
import {files} from '../store/schema/files.ts'
import {shares} from '../store/schema/shares.ts'
import {nameFiles, showsForeignFiles, takeSnapshot, titleForReaders} from './snapshot.ts'

export type ShareRow = typeof shares.$inferSelect

const idPattern = /^[\w-]{22}$/

/** Links as their owner sees them. */
export async function shareViews(transaction: Transaction, rows: readonly ShareRow[]): Promise<ShareLink[]> {
  const withFiles = await sharesWithFiles(transaction, rows)
  return rows.map((row) => ({
    id: row.id,
    conversation_id: row.conversationId,
    ...present({title: row.title}),
    attachments: row.attachments,
    files: nameFiles(row.messages),
    shows_files: withFiles.has(row.id) || showsForeignFiles(row.messages),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }))
}

/** The shares of which a file is still there: one query for all, and no look into the store of the bytes. */
async function sharesWithFiles(transaction: Transaction, rows: readonly ShareRow[]): Promise<Set<string>> {
  const ids = rows.flatMap(({id, files: sharedFiles}) => (sharedFiles.length > 0 ? [id] : []))
  if (ids.length === 0) return new Set()
  const rowsWithFiles = await transaction
    .selectDistinct({id: shares.id})
    .from(shares)
    .innerJoin(sql`jsonb_array_elements(${shares.files}) as shared`, sql`true`)
    .innerJoin(files, and(eq(files.storedAs, sql`shared->>'storedAs'`), eq(files.userId, shares.userId)))
    .where(inArray(shares.id, ids))
  return new Set(rowsWithFiles.map(({id}) => id))
}

/** The one link that a change has returned. */
async function changedView(transaction: Transaction, rows: readonly ShareRow[]): Promise<ShareLink | undefined> {
  const [view] = await shareViews(transaction, rows)
  return view
}

type Wish = {userId: string; conversationId: string; attachments: boolean}

/** The conversation's columns of a share as they are now. An answer that is being written belongs to no snapshot. */
async function snapshotOf(deps: ServerDeps, transaction: Transaction, {userId, conversationId, attachments}: Wish) {
  const row = await lockConversation(transaction, userId, conversationId)
  const [conversation] = await toConversations(transaction, [row])
  const messages = conversation?.messages ?? []
  if (messages.some(({state}) => state === 'pending' || state === 'answering'))
    throw new HttpFailure(409, 'busy', 'answering')
  const snapshot = await takeSnapshot(transaction, {userId, messages, attachments})
  return {...snapshot, title: titleOf(row.title, messages) || null, attachments, updatedAt: deps.now()}
}

function titleOf(title: string | null, messages: readonly ChatMessage[]): string {
  const question = messages.find(({role}) => role === 'user')
  const source = question && {...question, content: titleForReaders(messageText(question.content))}
  return conversationTitle({title: titleForReaders(title ?? ''), messages: source === undefined ? [] : [source]})
}

/**
 * A new link to the conversation as it is now.
 *
 * @throws HttpFailure 404 for a conversation that is not the user's, 409 while it is answered or with too many links
 */
export const createShare = (deps: ServerDeps, wish: Wish): Promise<ShareLink> =>
  deps.database.asUser(wish.userId, async (transaction) => {
    // one share of a user at a time, so that two cannot pass the bound together
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtext('shares'), hashtext(${wish.userId}))`)
    const snapshot = await snapshotOf(deps, transaction, wish)
    if ((await transaction.$count(shares)) >= mostShares)
      throw new HttpFailure(409, 'conflict', 'shareMost', {values: {most: mostShares}})
    const {userId, conversationId} = wish
    const rows = await transaction
      .insert(shares)
      .values({
        id: randomBytes(16).toString('base64url'),
        userId,
        conversationId,
        ...snapshot,
        createdAt: snapshot.updatedAt,
      })
      .returning()
    const link = await changedView(transaction, rows)
    if (link === undefined) throw new Error('A share was not kept')
    return link
  })

/** A new snapshot under the same link. Throws like {@link createShare}. */
export const updateShare = (
  deps: ServerDeps,
  {userId, id, attachments}: {userId: string; id: string; attachments: boolean},
): Promise<ShareLink> =>
  deps.database.asUser(userId, async (transaction) => {
    const own = ownShare(userId, id)
    const [share] = await transaction.select({conversationId: shares.conversationId}).from(shares).where(own)
    if (share === undefined) throw notFound()
    const snapshot = await snapshotOf(deps, transaction, {userId, conversationId: share.conversationId, attachments})
    const link = await changedView(transaction, await transaction.update(shares).set(snapshot).where(own).returning())
    if (link === undefined) throw notFound()
    return link
  })

/** Ends a link at once. Foreign and missing are the same 404. */
export async function revokeShare({database}: ServerDeps, {userId, id}: {userId: string; id: string}): Promise<void> {
  const endedRows = await database.asUser(userId, (transaction) =>
    transaction.delete(shares).where(ownShare(userId, id)).returning({id: shares.id}),
  )
  if (endedRows.length === 0) throw notFound()
}

/** Ids that have not our form name nothing, and need no look at the table. */
function ownShare(userId: string, id: string) {
  if (!idPattern.test(id)) throw notFound()
  return and(eq(shares.id, id), eq(shares.userId, userId))
}

/** For readers: the link alone grants access, so the row is read without anybody's rights. */
export async function findShare({database}: Pick<ServerDeps, 'database'>, id: string): Promise<ShareRow | undefined> {
  if (!idPattern.test(id)) return undefined
  const [row] = await database.asSystem((transaction) => transaction.select().from(shares).where(eq(shares.id, id)))
  return row
}

/** The files of a shared conversation, for readers; its messages, which may be megabytes, are not read. */
export async function findSharedFiles(
  {database}: Pick<ServerDeps, 'database'>,
  id: string,
): Promise<Pick<ShareRow, 'userId' | 'files'> | undefined> {
  if (!idPattern.test(id)) return undefined
  const [row] = await database.asSystem((transaction) =>
    transaction.select({userId: shares.userId, files: shares.files}).from(shares).where(eq(shares.id, id)),
  )
  return row
}

/** Whether there is such a link. */
export async function isShared({database}: Pick<ServerDeps, 'database'>, id: string): Promise<boolean> {
  if (!idPattern.test(id)) return false
  const rows = await database.asSystem((transaction) =>
    transaction.select({id: shares.id}).from(shares).where(eq(shares.id, id)),
  )
  return rows.length > 0
}
