import type {ServiceApi, UsageTotals} from '#contract/usage.ts'
import type {UsageCell} from './usage-sums.ts'

type Sum = {count: number; micro: bigint}

/** The sums of cells with the same key, ascending by key. */
function sumBy<Key extends string | number>(
  cells: readonly UsageCell[],
  keyOf: (cell: UsageCell) => Key,
): [Key, Sum][] {
  const sums = new Map<Key, Sum>()
  for (const cell of cells) {
    const key = keyOf(cell)
    const sum = sums.get(key) ?? {count: 0, micro: 0n}
    sums.set(key, {count: sum.count + cell.count, micro: sum.micro + cell.micro})
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Exact decimal text with six digits after the point, as the contract has it. */
const sumView = ({count, micro}: Sum) => {
  const digits = String(micro).padStart(7, '0')
  return {count, deducted_amount: `${digits.slice(0, -6)}.${digits.slice(-6)}`}
}
const totalOf = (cells: readonly UsageCell[]) => sumView(sumBy(cells, () => 'total')[0]?.[1] ?? {count: 0, micro: 0n})
const byStatus = (cells: readonly UsageCell[]) =>
  sumBy(cells, ({statusClass}) => statusClass).map(([status_class, sum]) => ({status_class, ...sumView(sum)}))
const byApi = (cells: readonly UsageCell[]) =>
  sumBy(cells, ({apiId}) => apiId).map(([api_id, sum]) => ({api_id, ...sumView(sum)}))

const byTitle = (a: {title?: string | null}, b: {title?: string | null}) => (a.title ?? '').localeCompare(b.title ?? '')

/** Cells of one hour or day after the other. */
function groupByStart(cells: readonly UsageCell[]): Map<number, UsageCell[]> {
  const groups = new Map<number, UsageCell[]>()
  for (const cell of cells) {
    const group = groups.get(cell.start.getTime())
    if (group === undefined) groups.set(cell.start.getTime(), [cell])
    else group.push(cell)
  }
  return groups
}

/** The sums of a range as they are answered (`#contract/usage.ts`). `cells` ascend by time. */
export function totalsView(
  cells: readonly UsageCell[],
  apis: readonly ServiceApi[],
  {step, timeZone}: {step: 'hour' | 'day'; timeZone: string},
): UsageTotals {
  return {
    total: totalOf(cells),
    by_status: byStatus(cells),
    by_api: byApi(cells)
      .map((sum) => {
        const api = apis.find(({id}) => id === sum.api_id)
        return {...sum, ...(api && {title: api.title, service_id: api.service_id})}
      })
      .toSorted(byTitle),
    time_zone: timeZone,
    step,
    by_time: [...groupByStart(cells)].map(([start, group]) => ({
      start: new Date(start).toISOString(),
      ...totalOf(group),
      by_status: byStatus(group),
      by_api: byApi(group),
    })),
  }
}
