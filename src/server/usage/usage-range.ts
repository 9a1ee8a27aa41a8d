import {badRequest} from '../http/failure.ts'

/** A range of instants, both ends included. Absent: open. */
export type UsageInterval = {from: Date | undefined; until: Date | undefined}

/** Lengths of the slots that are summed ahead, in minutes. */
type SlotMinutes = 15 | 60

const dayMilliseconds = 86_400_000
const mostMilliseconds = {hour: 62 * dayMilliseconds, day: 1_100 * dayMilliseconds}

/** Bounds the length of an answer of totals. `first` is the beginning of the first row. */
export function checkSpan(
  step: 'hour' | 'day',
  {from, until}: UsageInterval,
  {first, now}: {first: Date; now: Date},
): void {
  const start = from ?? first
  const latest = new Date(start.getTime() + mostMilliseconds[step])
  if ((until ?? now) <= latest) return
  if (from === undefined) throw badRequest('fieldMissing', 'created_at_min')
  throw badRequest('fieldMost', 'created_at_max', {most: latest.toISOString()})
}

/** A span of time to read. `isClosed`: it includes its last instant. */
export type RowPiece = {from: Date; until: Date; isClosed: boolean}

/** Slots that lie within the range as a whole, `start` up to and without `end`, and the rest that rows are read for. */
type SlotPlan = {
  slots: {start: Date | undefined; end: Date | undefined} | undefined
  pieces: RowPiece[]
}

/** Splits a range at the first and last border of a slot in it. Every instant of the range is in exactly one part. */
export function planSlots({from, until}: UsageInterval, minutes: SlotMinutes): SlotPlan {
  const length = minutes * 60_000
  const start = from && new Date(Math.ceil(from.getTime() / length) * length)
  const end = until && new Date(Math.floor(until.getTime() / length) * length)
  if (from && until && start && end && start >= end) return {slots: undefined, pieces: [{from, until, isClosed: true}]}
  return {
    slots: {start, end},
    pieces: [
      ...(from && start && from < start ? [{from, until: start, isClosed: false}] : []),
      ...(until && end ? [{from: end, until, isClosed: true}] : []),
    ],
  }
}
