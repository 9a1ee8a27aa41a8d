import type {ApiUsage, UsageTotals} from '#contract/usage.ts'
import {microOf} from './exact-amount.ts'

/** Kinds of tools in the order in which they are stacked; `other` is what no tool of this version is known for. */
export const usageKinds = ['video', 'image', 'music', 'chat', 'other'] as const
export type UsageKind = (typeof usageKinds)[number]

/** Credits are millionths. */
export type UsageSum = {count: number; micro: bigint}
export type UsageColumn = {start: number; total: UsageSum; parts: Readonly<Record<UsageKind, UsageSum>>}
export type UsageFigures = UsageSum & {succeeded: number}

const none: UsageSum = {count: 0, micro: 0n}
const add = (one: UsageSum, other: UsageSum): UsageSum => ({
  count: one.count + other.count,
  micro: one.micro + other.micro,
})
const sumOf = ({count, deducted_amount}: {count: number; deducted_amount: string}): UsageSum => ({
  count,
  micro: microOf(deducted_amount),
})
const emptyParts = (): Record<UsageKind, UsageSum> => ({
  video: none,
  image: none,
  music: none,
  chat: none,
  other: none,
})

/**
 * The columns of a chart: one for each start, also where nothing was called. What the server counts for an hour or day
 * goes to the column in which that begins, or to the first, so that the columns add up to the total.
 */
export function usageColumns(
  {by_api, by_time}: UsageTotals,
  starts: readonly number[],
  kindOf: (serviceId: string | undefined) => UsageKind,
): UsageColumn[] {
  const kinds = new Map(by_api.map((api) => [api.api_id, kindOf(api.service_id ?? undefined)]))
  const columns = starts.map((start) => ({start, total: none, parts: emptyParts()}))
  for (const slot of by_time) {
    const at = Date.parse(slot.start)
    const column = columns.findLast(({start}) => start <= at) ?? columns[0]
    if (column === undefined) continue
    column.total = add(column.total, sumOf(slot))
    for (const part of slot.by_api) {
      const kind = kinds.get(part.api_id) ?? 'other'
      column.parts[kind] = add(column.parts[kind], sumOf(part))
    }
  }
  return columns
}

/** The sum of each kind over all columns. */
export function sumColumns(columns: readonly UsageColumn[]): Pick<UsageColumn, 'total' | 'parts'> {
  const parts = emptyParts()
  for (const column of columns) for (const kind of usageKinds) parts[kind] = add(parts[kind], column.parts[kind])
  return {parts, total: columns.reduce((sum, {total}) => add(sum, total), none)}
}

const isSuccess = (status: number) => Math.floor(status / 100) === 2

/** Figures of the sums that the server made over all pages. */
export const figuresOfTotals = ({total, by_status}: UsageTotals): UsageFigures => ({
  ...sumOf(total),
  succeeded: by_status.find(({status_class}) => status_class === 2)?.count ?? 0,
})

/** Figures of these rows alone, for a server without sums. */
export const figuresOfRows = (rows: readonly ApiUsage[]): UsageFigures => ({
  count: rows.length,
  micro: rows.reduce((sum, row) => sum + microOf(row.deducted_amount ?? 0), 0n),
  succeeded: rows.filter(({status_code}) => isSuccess(status_code ?? 0)).length,
})

/** How a call ended, by its status. A caller who may try again later was put off, any other was refused. */
export type UsageOutcome = 'succeeded' | 'putOff' | 'refused' | 'failed'
const putOff = new Set([408, 409, 425, 429, 499])
export function outcomeOf(status: number): UsageOutcome {
  if (isSuccess(status)) return 'succeeded'
  if (putOff.has(status)) return 'putOff'
  return status >= 400 && status < 500 ? 'refused' : 'failed'
}
