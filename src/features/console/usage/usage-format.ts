import {decimalsOf, formatExact, microText} from '#domain/exact-amount.ts'
import {latinDigits, numberFormat} from '#domain/number-format.ts'
import type {UsageKind, UsageOutcome, UsageSum} from '#domain/usage-series.ts'
import type {UsageTotals} from '#contract/usage.ts'
import type {Tone} from '#ui/table/state-chip.tsx'
import type {MessageId} from '#ui/text.tsx'

/** The measure of a chart's columns. */
export type Measure = 'credits' | 'requests'

export const kindTexts = {
  video: 'index.video',
  image: 'index.image',
  music: 'index.music',
  chat: 'index.chat',
  other: 'usage.other',
} as const satisfies Record<UsageKind, MessageId>

export const outcomeTexts = {
  succeeded: 'usage.outcomeSucceeded',
  putOff: 'usage.outcomeRefused',
  refused: 'usage.outcomeRefused',
  failed: 'usage.outcomeFailed',
} as const satisfies Record<UsageOutcome, MessageId>

export const outcomeTones = {
  succeeded: 'success',
  putOff: 'warning',
  refused: 'danger',
  failed: 'danger',
} as const satisfies Record<UsageOutcome, Tone>

export const formatCount = (count: number, locale: string): string => numberFormat(locale).format(count)

/** A sum as the chart counts it, with every digit; `least` decimals, where others stand below each other. */
export const formatSum = ({count, micro}: UsageSum, measure: Measure, locale: string, least?: number): string =>
  measure === 'credits' ? formatExact(micro, locale, least) : formatCount(count, locale)

/** Decimals with which all these sums are exact. */
export const decimalsOfSums = (sums: readonly UsageSum[]): number =>
  Math.max(...sums.map(({micro}) => decimalsOf(microText(micro))))

/** The length of a bar: the only number here that may be rounded. */
export const lengthOf = ({count, micro}: UsageSum, measure: Measure): number =>
  measure === 'credits' ? Number(micro) / 1e6 : count

type ColumnNames = {
  /** Below the axis. */
  short: (start: number) => string
  /** Name of one column by itself. */
  long: (start: number) => string
}

/** Names of hours or days of a zone. */
export function columnNames(step: UsageTotals['step'], timeZone: string, locale: string): ColumnNames {
  const day = {month: 'short', day: 'numeric'} as const
  const time = {hour: '2-digit', minute: '2-digit', hourCycle: 'h23'} as const
  const [short, long] = [
    new Intl.DateTimeFormat(latinDigits(locale), {timeZone, ...(step === 'hour' ? time : day)}),
    new Intl.DateTimeFormat(latinDigits(locale), {timeZone, ...day, ...(step === 'hour' ? time : {weekday: 'short'})}),
  ]
  return {short: (start) => short.format(start), long: (start) => long.format(start)}
}
