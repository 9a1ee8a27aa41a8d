import type {UsageTotals} from '#contract/usage.ts'
import {addDays, hour, isDay, type ZoneTime} from './zone-time.ts'

/** Periods that the usage page offers; the first is that of an address without one. */
const usagePeriods = ['30d', '24h', '7d', 'custom'] as const
export type UsagePeriod = (typeof usagePeriods)[number]

/** Days of the longest custom period. */
const mostDays = 366

/** The period as the address names it. */
type PeriodQuery = Readonly<Record<string, string | undefined>>

/** The range of instants, in Unix milliseconds; both ends belong to it. */
export type UsageRange = {
  period: UsagePeriod
  from: number
  until: number
  step: UsageTotals['step']
  /** First and last day in the zone. */
  days: {from: string; to: string}
  /** A longer custom period was asked for than can be shown: it ends sooner. */
  isCut: boolean
}

/** Days of a custom period as the address may name them: in order, and not too many. */
function customDays({from, to}: PeriodQuery): UsageRange['days'] | undefined {
  if (!isDay(from) || !isDay(to) || to < from) return undefined
  const last = addDays(from, mostDays - 1)
  return {from, to: to > last ? last : to}
}

/** The period of an address. An unknown one, or a custom one without usable days, is the default. */
export function periodOf(query: PeriodQuery): UsagePeriod {
  const period = usagePeriods.find((name) => name === query.period) ?? usagePeriods[0]
  return period === 'custom' && customDays(query) === undefined ? usagePeriods[0] : period
}

/**
 * The range of an address at a moment. 24 hours and 7 or 30 days are whole hours and days of the zone, the present one
 * included. A custom period of at most two days is counted by the hour.
 */
export function usageRange(query: PeriodQuery, now: number, zone: ZoneTime): UsageRange {
  const period = periodOf(query)
  const today = zone.dayOf(now)
  if (period === '24h') {
    const from = zone.startOfHour(now) - 23 * hour
    return {period, from, until: now, step: 'hour', days: {from: zone.dayOf(from), to: today}, isCut: false}
  }
  const days = (period === 'custom' ? customDays(query) : undefined) ?? {
    from: addDays(today, period === '7d' ? -6 : -29),
    to: today,
  }
  const end = zone.startOfDay(addDays(days.to, 1)) - 1
  return {
    period,
    from: zone.startOfDay(days.from),
    until: days.from <= today ? Math.min(end, now) : end,
    step: days.to <= addDays(days.from, 1) ? 'hour' : 'day',
    days,
    isCut: period === 'custom' && query.to !== days.to,
  }
}

/** The first instant of each hour or day of a zone that a range touches, ascending; the range may be another zone's. */
export function columnStarts({from, until, step}: UsageRange, zone: ZoneTime): number[] {
  if (step === 'hour') {
    const first = zone.startOfHour(from)
    return Array.from({length: Math.floor((until - first) / hour) + 1}, (_, index) => first + index * hour)
  }
  const starts: number[] = []
  const last = zone.dayOf(until)
  for (let date = zone.dayOf(from); date <= last; date = addDays(date, 1)) {
    const start = zone.startOfDay(date)
    // a zone that left out a day has none for it
    if (start <= until && start !== starts.at(-1)) starts.push(start)
  }
  return starts
}
