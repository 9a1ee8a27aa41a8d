import {and, eq, gte, inArray, lt, lte, sql, type SQL} from 'drizzle-orm'
import type {Transaction} from '../store/database.ts'
import {usages, usageSums} from '../store/schema/credits.ts'
import type {UsageSelection} from './usage-filter.ts'
import {planSlots, type RowPiece} from './usage-range.ts'

/** The instants at which the user's calls begin and end: `end` is the end of the last quarter of an hour with calls. */
type UsageSpan = {first: Date; end: Date}

/** `undefined`: the user has made no call. */
export async function readSpan(transaction: Transaction, userId: string): Promise<UsageSpan | undefined> {
  const {rows} = await transaction.execute<{first: number | null; last: number | null}>(sql`
    select (extract(epoch from min(slot)) * 1000)::float8 as first, (extract(epoch from max(slot)) * 1000)::float8 as last
    from ${usageSums} where ${and(eq(usageSums.userId, userId), eq(usageSums.minutes, 15))}`)
  const {first, last} = rows[0] ?? {}
  if (first == null || last == null) return undefined
  return {first: new Date(first), end: new Date(last + 15 * 60_000)}
}

/** The filter on sums without time and length. */
const sumsOf = (userId: string, {applicationIds, apiIds}: UsageSelection): SQL | undefined =>
  and(
    eq(usageSums.userId, userId),
    applicationIds && inArray(usageSums.applicationId, applicationIds),
    apiIds && inArray(usageSums.apiId, apiIds),
  )

const rowsIn = (userId: string, {applicationIds, apiIds}: UsageSelection, {from, until, isClosed}: RowPiece) =>
  and(
    eq(usages.userId, userId),
    gte(usages.createdAt, from),
    isClosed ? lte(usages.createdAt, until) : lt(usages.createdAt, until),
    applicationIds && inArray(usages.applicationId, applicationIds),
    apiIds && inArray(usages.apiId, apiIds),
  )

/** Number of rows that match: summed by the hour, and counted at the ends of the range. */
export async function countUsage(transaction: Transaction, userId: string, filter: UsageSelection): Promise<number> {
  const {slots, pieces} = planSlots(filter.range, 60)
  const parts = pieces.map((piece) => sql`select count(*) from ${usages} where ${rowsIn(userId, filter, piece)}`)
  if (slots !== undefined)
    parts.push(
      sql`select sum(${usageSums.calls}) from ${usageSums} where ${and(
        sumsOf(userId, filter),
        eq(usageSums.minutes, 60),
        slots.start && gte(usageSums.slot, slots.start),
        slots.end && lt(usageSums.slot, slots.end),
      )}`,
    )
  const {rows} = await transaction.execute<{calls: string}>(
    sql`select coalesce(sum(calls), 0) as calls from (${sql.join(parts, sql` union all `)}) as part (calls)`,
  )
  return Number(rows[0]?.calls ?? 0)
}

/** Calls and credits of one hour or day, one API and one class of status. */
export type UsageCell = {
  start: Date
  apiId: string
  statusClass: number
  count: number
  /** Millionths of a credit. */
  micro: bigint
}

type CellsRequest = {
  filter: UsageSelection
  span: UsageSpan
  step: 'hour' | 'day'
  timeZone: string
}

/**
 * The sums of the whole quarters from `start` up to and without `end`, for each hour or day of the zone: whole hours
 * where they lie in it, quarters at its ends. No zone has a finer offset. A read for each piece of time makes use of
 * the index where a join of all would read every quarter.
 */
const slotCells = (
  userId: string,
  {filter, step, timeZone}: CellsRequest,
  {start, end}: {start: Date; end: Date},
): SQL => sql`
  select pieces.start, sums.api_id, sums.status_class, sums.calls, sums.deducted_amount
  from (
    select start, pieces.minutes, pieces.first, pieces.until
    from (
      select start, greatest(start, ${start}::timestamptz) as low,
        lead(start, 1, ${end}::timestamptz) over (order by start) as high
      from (
        select distinct date_trunc(${step}, at, ${timeZone}) as start
        from generate_series(${start}::timestamptz, ${end}::timestamptz, ${step === 'day' ? '6 hours' : '15 minutes'}::interval) as at
        union select date_trunc(${step}, ${end}::timestamptz, ${timeZone})
      ) as starts
    ) as ranges
    cross join lateral (
      select least(date_bin('1 hour', low + interval '1 hour' - interval '1 microsecond', 'epoch'), high) as hours_start,
        date_bin('1 hour', high, 'epoch') as hours_end
    ) as hours
    cross join lateral (values
      (15, low, hours_start), (60, hours_start, hours_end), (15, greatest(hours_start, hours_end), high)
    ) as pieces (minutes, first, until)
    where pieces.first < pieces.until
  ) as pieces
  cross join lateral (
    select api_id, status_class, sum(calls) as calls, sum(deducted_amount) as deducted_amount
    from ${usageSums}
    where ${sumsOf(userId, filter)} and minutes = pieces.minutes and slot >= pieces.first and slot < pieces.until
    group by api_id, status_class
  ) as sums`

/** Every sum of an answer of totals, from one read, ascending by time. */
export async function readCells(transaction: Transaction, userId: string, request: CellsRequest): Promise<UsageCell[]> {
  const {filter, span, step, timeZone} = request
  const {slots, pieces} = planSlots(filter.range, 15)
  const parts = pieces.map(
    (
      piece,
    ) => sql`select date_trunc(${step}, created_at, ${timeZone}), api_id, (status_code / 100)::smallint, 1, deducted_amount
      from ${usages} where ${rowsIn(userId, filter, piece)}`,
  )
  if (slots !== undefined)
    parts.push(slotCells(userId, request, {start: slots.start ?? span.first, end: slots.end ?? span.end}))
  const {rows} = await transaction.execute<{
    start: number
    api_id: string
    status_class: number
    calls: string
    deducted_amount: string
  }>(sql`
    select (extract(epoch from start) * 1000)::float8 as start, api_id, status_class, sum(calls) as calls,
      sum(deducted_amount)::numeric(30, 6)::text as deducted_amount
    from (${sql.join(parts, sql` union all `)}) as part (start, api_id, status_class, calls, deducted_amount)
    group by 1, 2, 3 order by 1`)
  return rows.map((row) => ({
    start: new Date(row.start),
    apiId: row.api_id,
    statusClass: row.status_class,
    count: Number(row.calls),
    micro: BigInt(row.deducted_amount.replace('.', '')),
  }))
}
