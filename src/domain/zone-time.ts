/*
 * Hours and days of an IANA time zone. A day of a zone may have 23, 24 or 25 hours and may begin at one in the morning;
 * an hour of it may begin at half past of UTC.
 */

export type ZoneTime = {
  /** IANA name. */
  timeZone: string
  /** `YYYY-MM-DD` of an instant. Instants are Unix milliseconds. */
  dayOf: (instant: number) => string
  /** The first instant of a day; of a day that the zone left out, that of the next one. */
  startOfDay: (day: string) => number
  /** The first instant of the hour of an instant. */
  startOfHour: (instant: number) => number
}

export const hour = 3_600_000
const day = 24 * hour

/** A day so many days later; negative: earlier. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10)

/** A day of the calendar as `YYYY-MM-DD`. */
export const isDay = (text: string | undefined): text is string =>
  text !== undefined &&
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
  addDays(text, 0) === text

/** The zone of this browser; UTC where it gives none that a server would know. */
export function browserZone(): string {
  const {timeZone} = new Intl.DateTimeFormat().resolvedOptions()
  return /^[A-Za-z][\w+/-]*$/.test(timeZone) ? timeZone : 'UTC'
}

/** @param timeZone IANA name; an unknown one throws a `RangeError` */
export function createZoneTime(timeZone: string): ZoneTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  /** The clock of the zone, read as if it were UTC. */
  const clockOf = (instant: number): number => {
    const parts = new Map(format.formatToParts(instant).map(({type, value}) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  }
  /** Milliseconds that the clock of the zone is ahead of UTC. */
  const offsetAt = (instant: number) => clockOf(instant) - Math.floor(instant / 1_000) * 1_000
  const dayOf = (instant: number) => new Date(clockOf(instant)).toISOString().slice(0, 10)
  return {
    timeZone,
    dayOf,
    startOfDay: (date) => {
      const midnight = Date.parse(`${date}T00:00:00Z`)
      // a change of clocks near midnight makes two candidates; where it skips midnight, the day begins at the change
      const candidates = [midnight - offsetAt(midnight - day), midnight - offsetAt(midnight + day)]
      const starts = candidates.filter((instant) => dayOf(instant) === date && dayOf(instant - 1) !== date)
      return starts.length > 0 ? Math.min(...starts) : (candidates[0] ?? midnight)
    },
    startOfHour: (instant) => {
      const offset = offsetAt(instant)
      return Math.floor((instant + offset) / hour) * hour - offset
    },
  }
}
