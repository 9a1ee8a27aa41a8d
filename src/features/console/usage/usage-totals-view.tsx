import type {ReactNode} from 'react'
import type {UsageFilter} from '#api/usage.ts'
import type {UsageTotals} from '#contract/usage.ts'
import {accountErrorTextId} from '#domain/account-failure.ts'
import type {Failure} from '#domain/failure.ts'
import {figuresOfTotals, usageColumns, type UsageKind} from '#domain/usage-series.ts'
import {columnStarts, type UsageRange} from '#domain/usage-period.ts'
import type {ZoneTime} from '#domain/zone-time.ts'
import {Problem} from '#ui/problem.tsx'
import {useText} from '#ui/text.tsx'
import {ChartSkeleton, UsageChart} from './usage-chart.tsx'
import {FiguresSkeleton, UsageFigures} from './usage-figures.tsx'

/** The server's sums of a range, the zone it counted them in, and the filter that a file of the same rows has. */
export type RangeTotals = {totals: UsageTotals; range: UsageRange; zone: ZoneTime; filter: UsageFilter}

type UsageTotalsViewProps = {
  /** The last that was read; undefined until then. */
  shown: RangeTotals | undefined
  failure: Failure | undefined
  isStale: boolean
  onRetry: () => void
  kindOf: (serviceId: string | undefined) => UsageKind
  note: (shown: RangeTotals) => ReactNode
}

/** Figures and chart of all pages in each state: loading, failed, none, shown; they stay while newer ones are read. */
export function UsageTotalsView({shown, failure, isStale, onRetry, kindOf, note}: UsageTotalsViewProps) {
  if (shown === undefined)
    return failure === undefined ? (
      <>
        <FiguresSkeleton />
        <ChartSkeleton />
      </>
    ) : (
      <TotalsProblem failure={failure} onRetry={onRetry} />
    )
  const {totals, range, zone} = shown
  return (
    <>
      {failure !== undefined && <TotalsProblem failure={failure} onRetry={onRetry} />}
      <UsageFigures figures={figuresOfTotals(totals)} isStale={isStale} />
      {totals.total.count > 0 && (
        <UsageChart
          columns={usageColumns(totals, columnStarts(range, zone), kindOf)}
          step={range.step}
          timeZone={zone.timeZone}
          isStale={isStale}
          note={note(shown)}
        />
      )}
    </>
  )
}

function TotalsProblem({failure, onRetry}: {failure: Failure; onRetry: () => void}) {
  const text = useText()
  return (
    <Problem tone="warning" onRetry={onRetry}>
      {text('usage.totalsFailed')} {text(accountErrorTextId(failure))}
    </Problem>
  )
}
