import {useState, type ReactNode} from 'react'
import type {UsageTotals} from '#contract/usage.ts'
import {sumColumns, usageKinds, type UsageColumn} from '#domain/usage-series.ts'
import {Button} from '#ui/button.tsx'
import {classNames} from '#ui/class-names.ts'
import {useLanguage} from '#ui/language.tsx'
import {Segmented} from '#ui/segmented.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import surface from '#ui/surface.module.css'
import {useText} from '#ui/text.tsx'
import {columnNames, kindTexts, type Measure} from './usage-format.ts'
import {SeriesMark} from './series-mark.tsx'
import {UsageBars} from './usage-bars.tsx'
import {UsageSums} from './usage-sums.tsx'
import styles from './usage-chart.module.css'

const titles = {
  credits: {hour: 'usage.creditsPerHour', day: 'usage.creditsPerDay'},
  requests: {hour: 'usage.requestsPerHour', day: 'usage.requestsPerDay'},
} as const

type UsageChartProps = {
  columns: readonly UsageColumn[]
  step: UsageTotals['step']
  timeZone: string
  isStale: boolean
  /** Says what the numbers rest on. */
  note: ReactNode
}

/** Credits or requests of each hour or day by kind of tool, as bars or as a table (design/screens §9). */
export function UsageChart({columns, step, timeZone, isStale, note}: UsageChartProps) {
  const text = useText()
  const {locale} = useLanguage()
  const [wantedMeasure, setWantedMeasure] = useState<Measure>()
  const [look, setLook] = useState<'bars' | 'table'>('bars')
  const sums = sumColumns(columns)
  // where nothing costs credits, bars of credits would show nothing
  const measure = wantedMeasure ?? (sums.total.micro === 0n ? 'requests' : 'credits')
  const kinds = usageKinds.filter((kind) => kind !== 'other' || sums.parts.other.count > 0)
  const title = text(titles[measure][step])
  const names = columnNames(step, timeZone, locale)
  return (
    <section className={classNames(surface.surface, styles.chart)} aria-label={title} aria-busy={isStale}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <ul className={styles.legend} hidden={look === 'table'}>
          {kinds.map((kind) => (
            <li key={kind}>
              <SeriesMark kind={kind} />
              {text(kindTexts[kind])}
            </li>
          ))}
        </ul>
        <div className={styles.tools}>
          <Segmented
            label={text('usage.measure')}
            value={measure}
            options={[
              {value: 'credits', label: text('usage.credits')},
              {value: 'requests', label: text('usage.requests')},
            ]}
            onChange={setWantedMeasure}
          />
          <Button variant="ghost" size="sm" onClick={() => setLook(look === 'bars' ? 'table' : 'bars')}>
            {text(look === 'bars' ? 'usage.asTable' : 'usage.asChart')}
          </Button>
        </div>
      </div>
      {look === 'bars' ? (
        <UsageBars title={title} columns={columns} kinds={kinds} measure={measure} names={names} />
      ) : (
        <UsageSums title={title} columns={columns} kinds={kinds} measure={measure} names={names} sums={sums} />
      )}
      <p className={styles.note}>{note}</p>
    </section>
  )
}

export function ChartSkeleton() {
  return (
    <div className={classNames(surface.surface, styles.chart)}>
      <Skeleton inlineSize={140} blockSize={28} />
      <div className={styles.wait}>
        <Skeleton blockSize="100%" radius="var(--r-md)" />
      </div>
    </div>
  )
}
