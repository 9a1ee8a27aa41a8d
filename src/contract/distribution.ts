import {amount, identifier, optional, paged, z} from './schema.ts'

/*
 * The referral programme (contract/platform §3, 42–46). Money is US dollars; `percentage` is percent, 10 is 10 %.
 */

/** A level is reached when the orders of one's invitees sum up to `threshold`; its `percentage` then counts. */
const distributionLevel = z.object({
  id: identifier,
  level: z.number(),
  threshold: amount,
  percentage: z.number(),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type DistributionLevel = z.infer<typeof distributionLevel>
export const distributionLevelPage = paged(distributionLevel)

export const distributionStatus = z.object({
  id: identifier,
  user_id: optional(identifier),
  /** Sum of the paid orders of all invitees. */
  price: amount,
  /** Sum of all rewards. */
  reward: amount,
  level_id: optional(identifier),
  level: optional(distributionLevel),
  /** Share of the price of the next order, in percent. */
  percentage: optional(z.number()),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type DistributionStatus = z.infer<typeof distributionStatus>
export const distributionStatusPage = paged(distributionStatus)

/** One reward, for a paid order of an invitee. A negative one, of a foreign server, takes a refunded one back. */
const distributionHistory = z.object({
  id: identifier,
  user_id: optional(identifier),
  invitee_id: optional(identifier),
  order_id: optional(identifier),
  price: optional(amount),
  reward: optional(amount),
  percentage: optional(z.number()),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type DistributionHistory = z.infer<typeof distributionHistory>
export const distributionHistoryPage = paged(distributionHistory)

/** POST /shorturl. */
export const shortUrl = z.object({data: z.object({url: z.string()})})
