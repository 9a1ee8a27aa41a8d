import {and, gte, inArray, lte, type SQL} from 'drizzle-orm'
import type {usageExportQuery} from '#contract/usage-requests.ts'
import type {z} from '#contract/schema.ts'
import {isUuid} from '../platform/fields.ts'
import {usages} from '../store/schema/credits.ts'
import type {UsageInterval} from './usage-range.ts'

/** A selection of the user's rows. */
export type UsageSelection = {
  applicationIds: string[] | undefined
  apiIds: string[] | undefined
  range: UsageInterval
}

const instantOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text))

/** `undefined` if the query can match nothing of this user: another user's id, or an unknown one. */
export function readUsageFilter(query: z.infer<typeof usageExportQuery>, userId: string): UsageSelection | undefined {
  if (query.user_id !== undefined && query.user_id !== userId) return undefined
  const applicationIds = query.application_id?.filter(isUuid)
  const apiIds = query.api_id?.filter(isUuid)
  if (applicationIds?.length === 0 || apiIds?.length === 0) return undefined
  return {
    applicationIds,
    apiIds,
    range: {from: instantOf(query.created_at_min), until: instantOf(query.created_at_max)},
  }
}

/** The filter on rows. Row-level security limits them to the user. */
export const rowsOf = ({applicationIds, apiIds, range: {from, until}}: UsageSelection): SQL | undefined =>
  and(
    applicationIds && inArray(usages.applicationId, applicationIds),
    apiIds && inArray(usages.apiId, apiIds),
    from && gte(usages.createdAt, from),
    until && lte(usages.createdAt, until),
  )
