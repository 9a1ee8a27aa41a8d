import {asc, desc, type SQL} from 'drizzle-orm'
import type {PgColumn, PgTable} from 'drizzle-orm/pg-core'
import {badRequest} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'

/** The page that a list request asks for; the schema has checked the bounds (`#contract/schema.ts` pageQuery). */
type PageQuery = {limit?: number; offset?: number; ordering?: string}

/** The columns a list may be sorted by, as named on the wire: a constant map, never the request's text (R34). */
export type SortColumns = Readonly<Record<string, PgColumn>> & {created_at: PgColumn}

/** `backwards` reads the same rows from the last to the first. */
export type PageSelection = {limit: number; offset: number; orderBy: SQL[]; backwards: SQL[]}

/** Page size of lists that do not name one, and of the applications list (spec §9). */
const defaultLimit = 20
export const applicationsLimit = 100

/**
 * Reads one page request. Equal rows stand by the time they were made and by `id` (the primary key), so that pages
 * never overlap; ascending is descending read backwards, so that one index serves both. A key that is not in `columns`
 * is a 400 that names `ordering`.
 */
export function pageOf(
  query: PageQuery,
  columns: SortColumns,
  id: PgColumn,
  limit: number = defaultLimit,
): PageSelection {
  const ordering = query.ordering ?? '-created_at'
  const [forth, back] = ordering.startsWith('-') ? [desc, asc] : [asc, desc]
  const name = ordering.replace(/^-/, '')
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (!column) throw badRequest('listOrder', 'ordering', {columns: Object.keys(columns).join(', ')})
  const keys = [...new Set([column, columns.created_at, id])]
  return {
    limit: query.limit ?? limit,
    offset: query.offset ?? 0,
    orderBy: keys.map((key) => forth(key)),
    backwards: keys.map((key) => back(key)),
  }
}

/** Rows of one page, and the number of all rows that match. */
export async function readPage<Table extends PgTable>(
  transaction: Transaction,
  table: Table,
  filter: SQL | undefined,
  {orderBy, limit, offset}: PageSelection,
): Promise<{rows: Table['$inferSelect'][]; count: number}> {
  const source: PgTable = table
  const rows = await transaction
    .select()
    .from(source)
    .where(filter)
    .orderBy(...orderBy)
    .limit(limit)
    .offset(offset)
  return {rows, count: await transaction.$count(source, filter)}
}

/** One page of a list in memory. Items without the key keep their order; without an ordering all do. */
export function pageOfList<T extends object, Key extends keyof T & string>(
  items: readonly T[],
  {limit = defaultLimit, offset = 0, ordering}: PageQuery,
  keys: readonly Key[],
): {count: number; items: T[]} {
  const name = ordering?.replace(/^-/, '')
  const key = keys.find((each) => each === name)
  if (name !== undefined && key === undefined) throw badRequest('listOrder', 'ordering', {columns: keys.join(', ')})
  const compare = (a: T, b: T) => {
    const [one, other] = [key && a[key], key && b[key]]
    if (typeof one === 'number' && typeof other === 'number') return one - other
    return typeof one === 'string' && typeof other === 'string' ? one.localeCompare(other, 'en') : 0
  }
  const ascending = items.toSorted(compare)
  const sortedItems = ordering?.startsWith('-') === true ? ascending.toReversed() : ascending
  return {count: items.length, items: sortedItems.slice(offset, offset + limit)}
}
