import type {ServiceApi, UsageTotals} from '#contract/usage.ts'
import type {SumRow} from './usage-sums.ts'

const noCalls = {count: 0, deducted_amount: '0.000000'}

const sumOf = ({count, deducted_amount}: SumRow) => ({count, deducted_amount})
const statusSumOf = (row: SumRow) => ({status_class: row.status_class ?? 0, ...sumOf(row)})
const apiSumOf = (row: SumRow) => ({api_id: row.api_id, ...sumOf(row)})

/** What the sums of a row are over, as `grouping(start, api_id, status_class)` says it. */
const over = {all: 7, status: 6, api: 5, time: 3, timeStatus: 2, timeApi: 1} as const

const byTitle = (a: {title?: string | null}, b: {title?: string | null}) => (a.title ?? '').localeCompare(b.title ?? '')

function byTime(rows: readonly SumRow[]): Map<number, SumRow[]> {
  const lists = new Map<number, SumRow[]>()
  for (const row of rows) {
    const at = row.start?.getTime() ?? 0
    lists.set(at, [...(lists.get(at) ?? []), row])
  }
  return lists
}

/** The sums of a range as they are answered (`#contract/usage.ts`). */
export function totalsView(
  rows: readonly SumRow[],
  apis: readonly ServiceApi[],
  {step, timeZone}: {step: 'hour' | 'day'; timeZone: string},
): UsageTotals {
  const of = (kind: number) => rows.filter((row) => row.over === kind)
  const total = of(over.all).at(0)
  const [statuses, apiSums] = [byTime(of(over.timeStatus)), byTime(of(over.timeApi))]
  return {
    total: total === undefined ? noCalls : sumOf(total),
    by_status: of(over.status).map(statusSumOf),
    by_api: of(over.api)
      .map((row) => {
        const api = apis.find(({id}) => id === row.api_id)
        return {...apiSumOf(row), ...(api && {title: api.title, service_id: api.service_id})}
      })
      .toSorted(byTitle),
    time_zone: timeZone,
    step,
    by_time: of(over.time).flatMap((row) =>
      row.start === null
        ? []
        : {
            start: row.start.toISOString(),
            ...sumOf(row),
            by_status: (statuses.get(row.start.getTime()) ?? []).map(statusSumOf),
            by_api: (apiSums.get(row.start.getTime()) ?? []).map(apiSumOf),
          },
    ),
  }
}
