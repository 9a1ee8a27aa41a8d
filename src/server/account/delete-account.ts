import {and, eq, isNotNull, ne, sql} from 'drizzle-orm'
import {isRecord} from '#contract/is-record.ts'
import type {Identity} from '../auth/identity.ts'
import {noPassword} from '../auth/password.ts'
import type {ServerDeps} from '../deps.ts'
import {removeBytes, removeBytesLater} from '../files/remove-bytes.ts'
import {HttpFailure} from '../http/failure.ts'
import {enqueueJob, type JobTask} from '../jobs/jobs.ts'
import {isUuid} from '../platform/fields.ts'
import type {Transaction} from '../store/database.ts'
import {conversations} from '../store/schema/chat.ts'
import {usages} from '../store/schema/credits.ts'
import {shortLinks} from '../store/schema/distribution.ts'
import {files} from '../store/schema/files.ts'
import {tasks} from '../store/schema/media.ts'
import {orders, payments} from '../store/schema/orders.ts'
import {accessTokens, loginCodes, loginHandovers, tokenFamilies, users} from '../store/schema/people.ts'
import {credentials, sites} from '../store/schema/platform.ts'
import {favouriteModels, instructions, savedPrompts} from '../store/schema/prompts.ts'
import {shares} from '../store/schema/shares.ts'
import {idempotencyKeys} from '../store/schema/submits.ts'

/** Name of the job that finishes an interrupted deletion. */
export const eraseJob = 'account-erase'
const eraseAttempts = 5

export type DeleteParts = {
  deps: ServerDeps
  /** Ends the user's running answers and tasks, in any process. */
  stopRuns: (userId: string) => Promise<void>
  /** Closes the user's open payments; resolves also where that is not possible now. */
  giveUpOrders: (userId: string) => Promise<void>
}

/**
 * Closes an account at once: nobody can sign in to it, its tokens and keys stop working, and its shared links end. The
 * account stays without personal data, since the books (credits, usage, orders, rewards) refer to it. A job of the same
 * transaction erases the rest (docs/decisions/0045).
 *
 * @throws HttpFailure 409 for the last operator of the installation
 */
export async function closeAccount(deps: ServerDeps, {userId}: Identity): Promise<void> {
  await deps.database.asSystem(async (transaction) => {
    await requireOtherOperator(transaction, userId)
    const now = deps.now()
    await transaction
      .update(users)
      .set({
        email: `${userId}@deleted.invalid`,
        passwordHash: noPassword,
        nickname: null,
        firstName: null,
        lastName: null,
        gender: null,
        city: null,
        province: null,
        country: null,
        avatar: null,
        role: 'member',
        verifiedAt: null,
        deletedAt: now,
        updatedAt: now,
      })
      .where(eq(users.id, userId))
    await transaction
      .update(credentials)
      .set({name: null, revokedAt: sql`coalesce(${credentials.revokedAt}, ${now.toISOString()}::timestamptz)`})
      .where(eq(credentials.userId, userId))
    for (const table of [accessTokens, loginCodes, loginHandovers, tokenFamilies, shares])
      await transaction.delete(table).where(eq(table.userId, userId))
    await leaveSites(transaction, userId, now)
    await enqueueJob(transaction, eraseJob, {userId}, {attempts: eraseAttempts, key: `${eraseJob}:${userId}`})
  })
}

async function requireOtherOperator(transaction: Transaction, userId: string): Promise<void> {
  // All operators are locked, so that the last two do not leave at the same moment.
  const operators = await transaction
    .select({id: users.id})
    .from(users)
    .where(eq(users.role, 'operator'))
    .orderBy(users.id)
    .for('update')
  if (operators.length === 1 && operators[0]?.id === userId) throw new HttpFailure(409, 'conflict', 'operatorLast')
}

/** A site keeps at least one admin: where the user was the only one, the operators take it over. */
async function leaveSites(transaction: Transaction, userId: string, now: Date): Promise<void> {
  const operators = transaction
    .select({id: users.id})
    .from(users)
    .where(and(eq(users.role, 'operator'), ne(users.id, userId)))
  // A form that was filled in before must not write the user back.
  const updatedAt = sql`${now.toISOString()}::timestamptz`
  await transaction.execute(sql`
    update ${sites} set
      admins = case when cardinality(array_remove(admins, ${userId}::uuid)) > 0 then array_remove(admins, ${userId}::uuid)
        else array(${operators}) end,
      distribution = case when distribution ->> 'force_inviter_id' = ${userId}::text then distribution - 'force_inviter_id'
        else distribution end,
      updated_at = ${updatedAt}
    where ${userId}::uuid = any (admins) or distribution ->> 'force_inviter_id' = ${userId}::text`)
  await transaction.execute(sql`
    update ${sites} set distribution = distribution - 'default_inviter_id', updated_at = ${updatedAt}
    where distribution ->> 'default_inviter_id' = ${userId}::text`)
  await leaveSiteImages(transaction, userId)
}

/**
 * Images that a site shows to everybody are the site's, not their uploader's: they pass to one of its admins, else to
 * an operator (docs/decisions/0074).
 */
async function leaveSiteImages(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(sql`
    update ${files} set user_id = heir.id
    from ${sites} site
    cross join lateral unnest(array[site.logo, site.favicon, site.features #>> '{support,wechat,qr}']) as image (address)
    cross join lateral (
      select person.id from ${users} person
      where person.deleted_at is null and (person.id = any (site.admins) or person.role = 'operator')
      order by person.id = any (site.admins) desc, person.created_at limit 1
    ) heir
    where ${files}.user_id = ${userId}::uuid
      and ${files}.id = substring(image.address from '/api/v1/files/([A-Za-z0-9_-]{22})/')`)
}

/** Erases what the user made and sent. Again it finds nothing; remaining bytes are tried again by a job. */
export async function eraseContents({deps, stopRuns, giveUpOrders}: DeleteParts, userId: string): Promise<void> {
  const {database} = deps
  await stopRuns(userId)
  await giveUpOrders(userId)
  const storedFiles = await database.asSystem(async (transaction) => {
    const ownedTables = [conversations, tasks, idempotencyKeys, shortLinks, savedPrompts, instructions, favouriteModels]
    for (const table of ownedTables) await transaction.delete(table).where(eq(table.userId, userId))
    // Amounts, statuses and times stay for the books, and the providers' names of payments.
    await transaction.update(usages).set({metadata: {}}).where(eq(usages.userId, userId))
    await transaction.update(orders).set({description: null}).where(eq(orders.userId, userId))
    await transaction
      .update(payments)
      .set({title: '', url: null, confirmUrl: null, returnUrl: ''})
      .where(eq(payments.userId, userId))
    const rows = await transaction.delete(files).where(eq(files.userId, userId)).returning({storedAs: files.storedAs})
    const names = rows.map(({storedAs}) => storedAs)
    // the process may end before it has taken them away
    await removeBytesLater(transaction, names)
    return names
  })
  await removeBytes(deps, storedFiles)
}

/** The job of a closed account. An account that is not closed is left alone, whatever the payload says. */
export const createEraseTask =
  (parts: DeleteParts): JobTask =>
  async (payload) => {
    const userId = isRecord(payload) ? payload.userId : undefined
    if (typeof userId !== 'string' || !isUuid(userId)) throw new Error('The job names no user')
    const [closedUser] = await parts.deps.database.asSystem((transaction) =>
      transaction
        .select({id: users.id})
        .from(users)
        .where(and(eq(users.id, userId), isNotNull(users.deletedAt))),
    )
    if (closedUser !== undefined) await eraseContents(parts, userId)
  }
