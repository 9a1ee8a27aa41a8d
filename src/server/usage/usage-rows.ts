import {and, desc, getTableColumns, inArray, sql, type SQL} from 'drizzle-orm'
import type {ApiUsage, ServiceApi} from '#contract/usage.ts'
import {present} from '../platform/fields.ts'
import type {PageSelection} from '../platform/paging.ts'
import type {Transaction} from '../store/database.ts'
import {usages} from '../store/schema/credits.ts'
import {services} from '../store/schema/platform.ts'

export type UsageRow = typeof usages.$inferSelect

/** A row with its service, unless that was deleted. */
export type NamedUsage = {
  row: UsageRow
  service: {id: string; title: string; unit: string} | undefined
  title: string | undefined
}

/** Names the services and APIs of rows. */
export async function nameUsages(
  transaction: Transaction,
  rows: readonly UsageRow[],
  apis: readonly ServiceApi[],
): Promise<NamedUsage[]> {
  const ids = [...new Set(rows.flatMap(({serviceId}) => serviceId ?? []))]
  const nameColumn =
    ids.length === 0
      ? []
      : await transaction
          .select({id: services.id, title: services.title, unit: services.unit})
          .from(services)
          .where(inArray(services.id, ids))
  const serviceOf = new Map(nameColumn.map((service) => [service.id, service]))
  const titleOf = new Map(apis.map(({id, title}) => [id, title ?? undefined]))
  return rows.map((row) => ({
    row,
    service: row.serviceId === null ? undefined : serviceOf.get(row.serviceId),
    title: titleOf.get(row.apiId),
  }))
}

export const usageView = ({row, service, title}: NamedUsage): ApiUsage =>
  present({
    id: row.id,
    api_id: row.apiId,
    api: title === undefined ? undefined : {title},
    service,
    application_id: row.applicationId,
    credential_id: row.credentialId,
    status_code: row.statusCode,
    trace_id: row.traceId,
    deducted_amount: Number(row.deductedAmount),
    remaining_amount: Number(row.remainingAmount),
    used_amount: row.usedAmount === null ? undefined : Number(row.usedAmount),
    metadata: row.metadata,
    created_at: row.createdAt.toISOString(),
  })

/** The position of a reading. `at` is the database's own text: a `Date` has no microseconds. */
export type RowMark = {at: string; id: string}

/** The next rows after a mark, newest first; `mark` is absent after the last of them. */
export async function readRowsAfter(
  transaction: Transaction,
  filter: SQL | undefined,
  {last, most}: {last: RowMark | undefined; most: number},
): Promise<{rows: UsageRow[]; mark: RowMark | undefined}> {
  const isOlder = last && sql`(${usages.createdAt}, ${usages.id}) < (${last.at}::timestamptz, ${last.id}::uuid)`
  const rows = await transaction
    .select({...getTableColumns(usages), at: sql<string>`${usages.createdAt}::text`})
    .from(usages)
    .where(and(filter, isOlder))
    .orderBy(desc(usages.createdAt), desc(usages.id))
    .limit(most)
  const end = rows.length < most ? undefined : rows.at(-1)
  return {rows, mark: end && {at: end.at, id: end.id}}
}

/**
 * One page of `count` rows. The rows before it are passed over in an index alone, from the end that is nearer: of a
 * million, the last page is as near as the first.
 */
export async function readUsagePage(
  transaction: Transaction,
  filter: SQL | undefined,
  {orderBy, backwards, limit, offset}: PageSelection,
  count: number,
): Promise<UsageRow[]> {
  const rest = count - offset
  if (rest <= 0) return []
  const isNearEnd = rest < offset
  const ids = transaction
    .select({id: usages.id})
    .from(usages)
    .where(filter)
    .orderBy(...(isNearEnd ? backwards : orderBy))
    .limit(Math.min(limit, rest))
    .offset(isNearEnd ? Math.max(0, rest - limit) : offset)
  return transaction
    .select()
    .from(usages)
    .where(inArray(usages.id, ids))
    .orderBy(...orderBy)
}
