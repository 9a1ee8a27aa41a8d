import {distributionLevelQuery, distributionQuery, shortUrlCreate} from '#contract/distribution-requests.ts'
import type {DistributionHistory, DistributionStatus} from '#contract/distribution.ts'
import type {ServerDeps} from '../deps.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {pageOf, pageOfList, readPage} from '../platform/paging.ts'
import {distributionRewards, distributionStatuses} from '../store/schema/distribution.ts'
import {levelAt, levelsOf} from './levels.ts'
import {ensureStatus} from './rewards.ts'
import {createShortLink} from './short-links.ts'

const statusColumns = {created_at: distributionStatuses.createdAt, updated_at: distributionStatuses.updatedAt}
const historyColumns = {
  created_at: distributionRewards.createdAt,
  price: distributionRewards.price,
  reward: distributionRewards.reward,
}
const levelSortKeys = ['level', 'threshold', 'percentage'] as const

/** The referral programme (contract/platform §3, 42–46). Rewards are entered by paid orders alone (`rewards.ts`). */
export function distributionRoutes(deps: ServerDeps): Route[] {
  const {config, database} = deps

  const statusView = (row: typeof distributionStatuses.$inferSelect): DistributionStatus => {
    const level = levelAt(config, Number(row.price))
    return {
      id: row.id,
      user_id: row.userId,
      price: Number(row.price),
      reward: Number(row.reward),
      ...(level && {level_id: level.id, level, percentage: level.percentage}),
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    }
  }

  return [
    managementRoute('POST', '/distribution-statuses/initialize/', 'user', {
      handle: async ({identity: {userId}}) => {
        // The request role may not write statuses: they are part of the accounts.
        await database.asSystem((transaction) => ensureStatus(deps, transaction, userId))
        const [row] = await database.asUser(userId, (transaction) => transaction.select().from(distributionStatuses))
        if (row === undefined) throw new Error('A status of the referral programme was not kept')
        return Response.json(statusView(row))
      },
    }),
    managementRoute('GET', '/distribution-statuses/', 'user', {
      query: distributionQuery,
      handle: async ({identity: {userId}, query}) => {
        const page = pageOf(query, statusColumns, distributionStatuses.id)
        if (query.user_id !== undefined && query.user_id !== userId) return Response.json({count: 0, items: []})
        return database.asUser(userId, async (transaction) => {
          const {rows, count} = await readPage(transaction, distributionStatuses, undefined, page)
          return Response.json({count, items: rows.map(statusView)})
        })
      },
    }),
    managementRoute('GET', '/distribution-levels/', 'user', {
      query: distributionLevelQuery,
      handle: ({query}) => Response.json(pageOfList(levelsOf(config), query, levelSortKeys)),
    }),
    managementRoute('GET', '/distribution-histories/', 'user', {
      query: distributionQuery,
      handle: async ({identity: {userId}, query}) => {
        const page = pageOf(query, historyColumns, distributionRewards.id)
        if (query.user_id !== undefined && query.user_id !== userId) return Response.json({count: 0, items: []})
        return database.asUser(userId, async (transaction) => {
          const {rows, count} = await readPage(transaction, distributionRewards, undefined, page)
          return Response.json({count, items: rows.map(historyView)})
        })
      },
    }),
    managementRoute('POST', '/shorturl', 'user', {
      body: shortUrlCreate,
      handle: async ({identity: {userId}, body: {content}, context}) => {
        const url = await createShortLink(deps, {userId, content, request: context.req.raw})
        return Response.json({data: {url}})
      },
    }),
  ]
}

const historyView = (row: typeof distributionRewards.$inferSelect): DistributionHistory => ({
  id: row.id,
  user_id: row.userId,
  invitee_id: row.inviteeId,
  order_id: row.orderId,
  price: Number(row.price),
  reward: Number(row.reward),
  percentage: Number(row.percentage),
  created_at: row.createdAt.toISOString(),
})
