import {eq} from 'drizzle-orm'
import type {z} from '#contract/schema.ts'
import {usageExportQuery, usageQuery, usageTotalsQuery} from '#contract/usage-requests.ts'
import type {ServiceApi} from '#contract/usage.ts'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {downloadOf} from '../http/download.ts'
import {notFound} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {idOf} from '../platform/fields.ts'
import {pageOf} from '../platform/paging.ts'
import {usages} from '../store/schema/credits.ts'
import {usageHead, usageLine} from './usage-csv.ts'
import {readUsageFilter, rowsOf, type UsageSelection} from './usage-filter.ts'
import {checkSpan} from './usage-range.ts'
import {nameUsages, readRowsAfter, readUsagePage, usageView, type RowMark} from './usage-rows.ts'
import {countUsage, readCells, readSpan} from './usage-sums.ts'
import {totalsView} from './usage-totals.ts'
import {createUsageZones} from './usage-zones.ts'

/** Each has an index: a key without one would sort a million rows for a page. */
const sortColumns = {created_at: usages.createdAt, deducted_amount: usages.deductedAmount}
/** Rows of one piece of an export. */
const exportPiece = 1_000

/** Usage of the caller (contract/platform §3, 40–41), its sums and its export (ours). Row-level security says whose. */
export function usageRoutes(deps: ServerDeps, apis: readonly ServiceApi[]): Route[] {
  const {database, now} = deps
  const zoneOf = createUsageZones(database)

  return [
    managementRoute('GET', '/usage/apis/', 'user', {
      query: usageQuery,
      handle: async ({identity: {userId}, query}) => Response.json(await listUsage(deps, apis, userId, query)),
    }),
    managementRoute('GET', '/usage/apis/:id', 'user', {
      handle: async ({identity: {userId}, params}) => {
        const id = idOf(params)
        const [nameRow] = await database.asUser(userId, async (transaction) =>
          nameUsages(transaction, await transaction.select().from(usages).where(eq(usages.id, id)), apis),
        )
        if (nameRow === undefined) throw notFound()
        return Response.json(usageView(nameRow))
      },
    }),
    managementRoute('GET', '/usage/totals', 'user', {
      query: usageTotalsQuery,
      handle: async ({identity: {userId}, query}) => {
        const step = query.step ?? 'day'
        const {inDatabase, answered: timeZone} = await zoneOf(query.time_zone ?? 'UTC')
        const filter = readUsageFilter(query, userId)
        if (filter === undefined) return Response.json(totalsView([], apis, {step, timeZone}))
        const cells = await database.asUser(userId, async (transaction) => {
          const span = (await readSpan(transaction, userId)) ?? {first: now(), end: now()}
          checkSpan(step, filter.range, {first: span.first, now: now()})
          return readCells(transaction, userId, {filter, span, step, timeZone: inDatabase})
        })
        return Response.json(totalsView(cells, apis, {step, timeZone}))
      },
    }),
    managementRoute('GET', '/usage/export', 'user', {
      limit: 'export',
      query: usageExportQuery,
      handle: ({identity: {userId}, query, client}) => {
        const filter = readUsageFilter(query, userId)
        const lines = filter === undefined ? [usageHead] : exportLines(deps, apis, {userId, filter})
        const name = `usage-${now().toISOString().slice(0, 10)}.csv`
        return downloadOf(lines, {type: 'text/csv; charset=utf-8', name}, (error) => {
          deps.log.error('an export of usage broke', describeError(error))
          client?.destroy()
        })
      },
    }),
  ]
}

async function listUsage(
  {database}: ServerDeps,
  apis: readonly ServiceApi[],
  userId: string,
  query: z.infer<typeof usageQuery>,
) {
  const page = pageOf(query, sortColumns, usages.id)
  const filter = readUsageFilter(query, userId)
  if (filter === undefined) return {count: 0, items: []}
  return database.asUser(userId, async (transaction) => {
    const count = await countUsage(transaction, userId, filter)
    const rows = await readUsagePage(transaction, rowsOf(filter), page, count)
    const items = await nameUsages(transaction, rows, apis)
    return {count, items: items.map(usageView)}
  })
}

/** The head and all matching rows of a CSV file, from now back, in pieces; each piece is a transaction of its own. */
async function* exportLines(
  {database, now}: ServerDeps,
  apis: readonly ServiceApi[],
  {userId, filter}: {userId: string; filter: UsageSelection},
): AsyncGenerator<string> {
  yield usageHead
  const wantedRows = rowsOf({...filter, range: {...filter.range, until: filter.range.until ?? now()}})
  let last: RowMark | undefined
  do {
    const after = last
    const names = await database.asUser(userId, async (transaction) => {
      const {rows, mark} = await readRowsAfter(transaction, wantedRows, {last: after, most: exportPiece})
      last = mark
      return nameUsages(transaction, rows, apis)
    })
    if (names.length > 0) yield names.map(usageLine).join('')
  } while (last !== undefined)
}
