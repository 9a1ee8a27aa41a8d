import {and, eq, isNull, sql} from 'drizzle-orm'
import {alias} from 'drizzle-orm/pg-core'
import type {ServerDeps} from '../deps.ts'
import type {Transaction} from '../store/database.ts'
import {distributionRewards, distributionStatuses} from '../store/schema/distribution.ts'
import {users} from '../store/schema/people.ts'
import {levelAt} from './levels.ts'

type Deps = Pick<ServerDeps, 'config' | 'now'>

/** Makes the user's status, where there is none yet. Repeating it changes nothing. */
export async function ensureStatus({now}: Pick<Deps, 'now'>, transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .insert(distributionStatuses)
    .values({userId, createdAt: now(), updatedAt: now()})
    .onConflictDoNothing()
}

/** Who invited a user, unless that account is deleted. */
async function inviterOf(transaction: Transaction, userId: string): Promise<string | undefined> {
  const inviters = alias(users, 'inviters')
  const [inviter] = await transaction
    .select({id: inviters.id})
    .from(users)
    .innerJoin(inviters, eq(inviters.id, users.inviterId))
    .where(and(eq(users.id, userId), isNull(inviters.deletedAt)))
  return inviter?.id
}

/** A paid order: its buyer, and what was paid in US dollars as an exact decimal. */
export type PaidOrder = {id: string; userId: string; price: string}

/**
 * Enters the reward of a paid order for who invited its buyer, at the percentage of the inviter's level before this order.
 * To be called in the transaction of the system that books the order as paid: both are there or neither. An order brings
 * one reward, however often it is booked; one without a price or whose buyer nobody invited brings none.
 */
export async function bookReward(deps: Deps, transaction: Transaction, order: PaidOrder): Promise<void> {
  const inviterId = await inviterOf(transaction, order.userId)
  if (inviterId === undefined || Number(order.price) <= 0) return
  await ensureStatus(deps, transaction, inviterId)
  const status = await lockStatus(transaction, inviterId)
  const percentage = levelAt(deps.config, Number(status.price))?.percentage ?? 0
  await enterReward(deps, transaction, inviterId, {
    inviteeId: order.userId,
    orderId: order.id,
    kind: 'reward',
    price: sql`${order.price}::numeric`,
    reward: sql`round(${order.price}::numeric * ${percentage}::numeric / 100, 6)`,
    percentage: String(percentage),
  })
}

/** Takes back what an order brought, when it is paid back: once, and nothing where it brought nothing. */
export async function reverseReward(deps: Deps, transaction: Transaction, orderId: string): Promise<void> {
  const [booked] = await transaction
    .select()
    .from(distributionRewards)
    .where(and(eq(distributionRewards.orderId, orderId), eq(distributionRewards.kind, 'reward')))
  if (booked === undefined) return
  await lockStatus(transaction, booked.userId)
  const {inviteeId, percentage, price, reward} = booked
  await enterReward(deps, transaction, booked.userId, {
    inviteeId,
    orderId,
    kind: 'reversal',
    price: sql`-(${price}::numeric)`,
    reward: sql`-(${reward}::numeric)`,
    percentage,
  })
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

type RewardValues = Omit<typeof distributionRewards.$inferInsert, 'userId' | 'price' | 'reward'> & {
  price: ReturnType<typeof sql>
  reward: ReturnType<typeof sql>
}

async function enterReward({now}: Deps, transaction: Transaction, userId: string, values: RewardValues): Promise<void> {
  const [row] = await transaction
    .insert(distributionRewards)
    .values({...values, userId, createdAt: now()})
    .onConflictDoNothing()
    .returning()
  if (row === undefined) return
  await transaction
    .update(distributionStatuses)
    .set({
      price: sql`${distributionStatuses.price} + ${row.price}::numeric`,
      reward: sql`${distributionStatuses.reward} + ${row.reward}::numeric`,
      updatedAt: now(),
    })
    .where(eq(distributionStatuses.userId, userId))
}
