import {and, eq, isNull, sql} from 'drizzle-orm'
import {alias} from 'drizzle-orm/pg-core'
import type {Config} from '../config.ts'
import type {Transaction} from '../store/database.ts'
import {distributionRewards, distributionStatuses} from '../store/schema/distribution.ts'
import {users} from '../store/schema/people.ts'
import {levelAt} from './levels.ts'

type Deps = {config: Pick<Config, 'distributionLevels'>; now: () => Date}

/** Makes the user's status, where there is none yet. Repeating it changes nothing. */
export async function ensureStatus({now}: Pick<Deps, 'now'>, transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .insert(distributionStatuses)
    .values({userId, createdAt: now(), updatedAt: now()})
    .onConflictDoNothing()
}

/** The inviter of a user, unless that account is deleted. */
async function inviterOf(transaction: Transaction, userId: string): Promise<string | undefined> {
  const inviters = alias(users, 'inviters')
  const [inviter] = await transaction
    .select({id: inviters.id})
    .from(users)
    .innerJoin(inviters, eq(inviters.id, users.inviterId))
    .where(and(eq(users.id, userId), isNull(inviters.deletedAt)))
  return inviter?.id
}

/** A paid order: its buyer, and its price in whole cents of a US dollar, as `orders.price` is. */
export type PaidOrder = {id: string; userId: string; price: number}

/**
 * Books the reward of the buyer's inviter for a paid order, at the percentage of the inviter's level before this order.
 * Must be called in the transaction that books the order, so that both are stored or neither. Repeated calls for one
 * order book one reward; a free order, or a buyer without an inviter, brings none.
 */
export async function bookReward(deps: Deps, transaction: Transaction, order: PaidOrder): Promise<void> {
  if (order.price <= 0) return
  const inviterId = await inviterOf(transaction, order.userId)
  if (inviterId === undefined) return
  await ensureStatus(deps, transaction, inviterId)
  const status = await lockStatus(transaction, inviterId)
  const percentage = String(levelAt(deps.config, Number(status.price))?.percentage ?? 0)
  const [row] = await transaction
    .insert(distributionRewards)
    .values({
      userId: inviterId,
      inviteeId: order.userId,
      orderId: order.id,
      price: sql`${order.price}::numeric / 100`,
      reward: sql`round(${order.price}::numeric * ${percentage}::numeric / 10000, 6)`,
      percentage,
      createdAt: deps.now(),
    })
    .onConflictDoNothing()
    .returning()
  if (row === undefined) return
  await transaction
    .update(distributionStatuses)
    .set({
      price: sql`${distributionStatuses.price} + ${row.price}::numeric`,
      reward: sql`${distributionStatuses.reward} + ${row.reward}::numeric`,
      updatedAt: deps.now(),
    })
    .where(eq(distributionStatuses.userId, inviterId))
}

/** Orders of several invitees take turns: each sees the level that the one before left. */
async function lockStatus(transaction: Transaction, userId: string) {
  const [status] = await transaction
    .select()
    .from(distributionStatuses)
    .where(eq(distributionStatuses.userId, userId))
    .for('update')
  if (status === undefined) throw new Error('A status of the referral programme is missing')
  return status
}
