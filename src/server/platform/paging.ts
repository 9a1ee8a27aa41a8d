import {asc, desc, type SQL} from 'drizzle-orm'
import type {PgColumn} from 'drizzle-orm/pg-core'
import {badRequest} from '../http/failure.ts'

/** What a list request may say about its page; the schema has checked the bounds (`#contract/schema.ts` pageQuery). */
type PageQuery = {limit?: number; offset?: number; ordering?: string}

/** The columns a list may be ordered by, under their names on the wire: a constant map, never the request's text (R34). */
export type OrderColumns = Readonly<Record<string, PgColumn>>

export type Page = {limit: number; offset: number; orderBy: SQL[]}

/** Page size of lists that do not name one, and of the applications list (spec §9). */
const defaultLimit = 20
export const applicationsLimit = 100

/**
 * Reads one page request. `tie` (the primary key) makes the order total, so that pages never overlap. A key that is not
 * in `columns` is a 400 that names `ordering`.
 */
export function pageOf(query: PageQuery, columns: OrderColumns, tie: PgColumn, limit: number = defaultLimit): Page {
  const ordering = query.ordering ?? '-created_at'
  const direction = ordering.startsWith('-') ? desc : asc
  const name = ordering.replace(/^-/, '')
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (!column) throw badRequest('listOrder', 'ordering', {columns: Object.keys(columns).join(', ')})
  return {limit: query.limit ?? limit, offset: query.offset ?? 0, orderBy: [direction(column), asc(tie)]}
}
