import {and, eq, inArray, sql} from 'drizzle-orm'
import type {PgColumn} from 'drizzle-orm/pg-core'
import type {ServerDeps} from '../deps.ts'
import {HttpFailure, notFound} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'
import {conversations, messages} from '../store/schema/chat.ts'
import {files} from '../store/schema/files.ts'
import {tasks} from '../store/schema/media.ts'
import {users} from '../store/schema/people.ts'
import {sites} from '../store/schema/platform.ts'
import {newFileId} from './file-store.ts'
import {lockFilesOf, type FileRow} from './stored-files.ts'

/**
 * Gives the user's file a new address. The old one opens nothing from then on; what the user has of it (tasks,
 * messages, avatar, images of sites they administer) names the new one. The bytes stay where they are.
 *
 * @throws HttpFailure 404 for foreign and unknown files, 409 while a task that has not ended uses the file
 */
export async function renewFile(deps: ServerDeps, userId: string, id: string): Promise<FileRow> {
  // as the system: a user's request may not write tasks. Every statement names the user.
  return deps.database.asSystem(async (transaction) => {
    await lockFilesOf(transaction, userId)
    const change = {userId, from: id, to: newFileId()}
    if (await isInUse(transaction, change)) {
      throw new HttpFailure(409, 'busy', 'fileUsed', {retryAfterSeconds: 30})
    }
    const [row] = await transaction
      .update(files)
      .set({id: change.to, formerIds: sql`array_append(${files.formerIds}, ${id})`})
      .where(and(eq(files.id, id), eq(files.userId, userId)))
      .returning()
    if (row === undefined) throw notFound()
    await renameInTasks(transaction, change)
    await renameInMessages(transaction, change)
    await renameInProfileImages(transaction, change)
    return row
  })
}

/** The random id is found in no other text, so it is replaced wherever it stands. */
type Change = {userId: string; from: string; to: string}

const names = (column: PgColumn, {from}: Change) => sql`strpos(${column}::text, ${from}) > 0`
const renamed = (column: PgColumn, {from, to}: Change) => sql`replace(${column}::text, ${from}, ${to})`
const renamedJson = (column: PgColumn, change: Change) => sql`${renamed(column, change)}::jsonb`

/** Its worker writes what it read before, and its provider may be fetching the file. */
async function isInUse(transaction: Transaction, change: Change): Promise<boolean> {
  const [task] = await transaction
    .select({id: tasks.id})
    .from(tasks)
    .where(
      and(
        eq(tasks.userId, change.userId),
        inArray(tasks.state, ['queued', 'running']),
        sql`(${names(tasks.request, change)} or ${names(tasks.response, change)})`,
      ),
    )
    .limit(1)
  return task !== undefined
}

async function renameInTasks(transaction: Transaction, change: Change): Promise<void> {
  for (const [key, column] of [
    ['request', tasks.request],
    ['response', tasks.response],
  ] as const) {
    await transaction
      .update(tasks)
      .set({[key]: renamedJson(column, change)})
      .where(and(eq(tasks.userId, change.userId), names(column, change)))
  }
}

/** A conversation counts as younger, or another tab would keep its own copy. */
async function renameInMessages(transaction: Transaction, change: Change): Promise<void> {
  const rows = await transaction
    .update(messages)
    .set({content: renamedJson(messages.content, change)})
    .where(and(eq(messages.userId, change.userId), names(messages.content, change)))
    .returning({conversationId: messages.conversationId})
  if (rows.length === 0) return
  const ids = [...new Set(rows.map(({conversationId}) => conversationId))]
  await transaction
    .update(conversations)
    .set({updatedAt: sql`${conversations.updatedAt} + interval '1 millisecond'`})
    .where(inArray(conversations.id, ids))
}

async function renameInProfileImages(transaction: Transaction, change: Change): Promise<void> {
  await transaction
    .update(users)
    .set({avatar: renamed(users.avatar, change)})
    .where(and(eq(users.id, change.userId), names(users.avatar, change)))
  for (const [key, column] of [
    ['logo', sites.logo],
    ['favicon', sites.favicon],
  ] as const) {
    await transaction
      .update(sites)
      .set({[key]: renamed(column, change)})
      .where(and(sql`${change.userId}::uuid = any (${sites.admins})`, names(column, change)))
  }
}
