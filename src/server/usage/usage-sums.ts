import {and, eq, gte, inArray, lt, lte, sql, type SQL} from 'drizzle-orm'
import type {Transaction} from '../store/database.ts'
import {usages, usageSums} from '../store/schema/credits.ts'
import type {UsageFilter} from './usage-filter.ts'
import {planSlots, type SlotMinutes} from './usage-range.ts'

/** A sum over calls: of an hour or day, an API, a class of status, or of all where these are null. */
export type SumRow = {
  start: Date | null
  api_id: string | null
  status_class: number | null
  /** Which of the three the row is a sum over: bits 4, 2 and 1 of `grouping`. */
  over: number
  count: number
  deducted_amount: string
}

/**
 * Calls and credits of all rows that match: summed ahead where a slot lies in the range as a whole, from the rows at its
 * ends. A union of parts, each with one piece of time, so that each reads its index.
 */
function matchingSums(userId: string, {applicationIds, apiIds, range}: UsageFilter, minutes: SlotMinutes): SQL {
  const {slots, pieces} = planSlots(range, minutes)
  const whole =
    slots &&
    sql`select ${usageSums.slot} as at, ${usageSums.apiId} as api_id, ${usageSums.statusClass} as status_class,
        ${usageSums.calls} as calls, ${usageSums.deductedAmount} as deducted_amount
      from ${usageSums} where ${and(
        eq(usageSums.userId, userId),
        eq(usageSums.minutes, minutes),
        slots.start && gte(usageSums.slot, slots.start),
        slots.end && lt(usageSums.slot, slots.end),
        applicationIds && inArray(usageSums.applicationId, applicationIds),
        apiIds && inArray(usageSums.apiId, apiIds),
      )}`
  const rest = pieces.map(
    ({from, until, isClosed}) =>
      sql`select ${usages.createdAt}, ${usages.apiId}, (${usages.statusCode} / 100)::smallint, 1, ${usages.deductedAmount}
        from ${usages} where ${and(
          eq(usages.userId, userId),
          gte(usages.createdAt, from),
          isClosed ? lte(usages.createdAt, until) : lt(usages.createdAt, until),
          applicationIds && inArray(usages.applicationId, applicationIds),
          apiIds && inArray(usages.apiId, apiIds),
        )}`,
  )
  return sql`select * from (${sql.join(whole === undefined ? rest : [whole, ...rest], sql` union all `)})
    as matching (at, api_id, status_class, calls, deducted_amount)`
}

/** Number of rows that match, without counting them. */
export async function countUsage(transaction: Transaction, userId: string, filter: UsageFilter): Promise<number> {
  const {rows} = await transaction.execute<{calls: string}>(
    sql`select coalesce(sum(calls), 0) as calls from (${matchingSums(userId, filter, 60)}) as matching`,
  )
  return Number(rows[0]?.calls ?? 0)
}

/** The beginning of the hour of the user's first row; `undefined`: there is none. */
export async function firstUsage(transaction: Transaction, userId: string): Promise<Date | undefined> {
  const [row] = await transaction
    .select({slot: usageSums.slot})
    .from(usageSums)
    .where(and(eq(usageSums.userId, userId), eq(usageSums.minutes, 60)))
    .orderBy(usageSums.slot)
    .limit(1)
  return row?.slot
}

export type SumsRequest = {
  filter: UsageFilter
  step: 'hour' | 'day'
  timeZone: string
  minutes: SlotMinutes
}

/** Every sum of an answer of totals, from one read. */
export async function readSums(
  transaction: Transaction,
  userId: string,
  {filter, step, timeZone, minutes}: SumsRequest,
): Promise<SumRow[]> {
  const {rows} = await transaction.execute<Omit<SumRow, 'count' | 'start'> & {start: number | null; count: string}>(sql`
    with matching as materialized (
      select at, api_id, status_class, sum(calls) as calls, sum(deducted_amount) as deducted_amount
      from (${matchingSums(userId, filter, minutes)}) as matching group by at, api_id, status_class
    ), cells as materialized (
      select date_trunc(${step}, at, ${timeZone}) as start, api_id, status_class, sum(calls) as calls,
        sum(deducted_amount) as deducted_amount
      from matching group by 1, 2, 3
    )
    select (extract(epoch from start) * 1000)::float8 as start, api_id, status_class, grouping(start, api_id, status_class) as over, coalesce(sum(calls), 0) as count,
      coalesce(sum(deducted_amount), 0)::numeric(30, 6)::text as deducted_amount
    from cells
    group by grouping sets ((), (api_id), (status_class), (start), (start, api_id), (start, status_class))
    order by cells.start, status_class, api_id`)
  return rows.map((row) => ({...row, start: row.start === null ? null : new Date(row.start), count: Number(row.count)}))
}
