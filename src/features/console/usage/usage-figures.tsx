import type {CSSProperties} from 'react'
import {formatExact, microMean} from '#domain/exact-amount.ts'
import {numberFormat} from '#domain/number-format.ts'
import type {UsageFigures as Figures} from '#domain/usage-series.ts'
import {classNames} from '#ui/class-names.ts'
import {useLanguage} from '#ui/language.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import surface from '#ui/surface.module.css'
import {useText} from '#ui/text.tsx'
import {formatCount} from './usage-format.ts'
import styles from './usage-figures.module.css'

/** Rounded down to a tenth: one failure of many never reads as 100%. */
const formatShare = (part: number, whole: number, locale: string): string =>
  numberFormat(locale, {style: 'percent', maximumFractionDigits: 1}).format(Math.floor((part * 1_000) / whole) / 1_000)

/** Credits, requests, share of successes and mean of a period (design/screens §9). */
export function UsageFigures({figures, isStale}: {figures: Figures; isStale: boolean}) {
  const text = useText()
  const {locale} = useLanguage()
  const {count, micro, succeeded} = figures
  const failures = count - succeeded
  return (
    <dl className={classNames(surface.surface, styles.figures)} aria-busy={isStale}>
      <Figure label={text('usage.creditsUsed')} value={formatExact(micro, locale)} />
      <Figure label={text('usage.requests')} value={formatCount(count, locale)} />
      <Figure
        label={text('usage.succeeded')}
        value={count === 0 ? '–' : formatShare(succeeded, count, locale)}
        note={failures === 0 ? undefined : text('usage.failedCount', {count: formatCount(failures, locale)})}
      />
      <Figure
        label={text('usage.average')}
        value={count === 0 ? '–' : formatExact(microMean(micro, count), locale)}
        note={count === 0 ? undefined : text('usage.perRequest')}
      />
    </dl>
  )
}

function Figure({label, value, note}: {label: string; value: string; note?: string | undefined}) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>
        {/* as: a custom property is no known property of CSSProperties */}
        <bdi dir="ltr" style={{'--length': value.length} as CSSProperties}>
          {value}
        </bdi>
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  )
}

export function FiguresSkeleton() {
  return (
    <div className={classNames(surface.surface, styles.figures)}>
      {Array.from({length: 4}, (_, index) => (
        <div key={index} className={styles.figure}>
          <Skeleton inlineSize={90} blockSize={18} />
          <Skeleton inlineSize={120} blockSize={32} />
        </div>
      ))}
    </div>
  )
}
