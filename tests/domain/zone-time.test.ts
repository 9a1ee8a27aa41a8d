import {expect, test} from 'vitest'
import {addDays, createZoneTime, isDay} from '#domain/zone-time.ts'

const startOf = (timeZone: string, day: string) => new Date(createZoneTime(timeZone).startOfDay(day)).toISOString()
const hoursOf = (timeZone: string, day: string) => {
  const zone = createZoneTime(timeZone)
  return (zone.startOfDay(addDays(day, 1)) - zone.startOfDay(day)) / 3_600_000
}

test.each([
  ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z'],
  ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
  ['Pacific/Pago_Pago', '2026-01-01', '2026-01-01T11:00:00.000Z'],
  // the clock skips midnight: the day begins at one
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  // midnight comes twice: the day begins with the first
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  // a day that the zone left out
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
])('the start of a day in %s, %s', (timeZone, day, start) => expect(startOf(timeZone, day)).toBe(start))

test.each([
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['Europe/Berlin', '2026-06-01', 24],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  ['Africa/Cairo', '2026-04-24', 23],
  ['America/Havana', '2026-11-01', 25],
])('a day in %s, %s, has its hours', (timeZone, day, hours) => expect(hoursOf(timeZone, day)).toBe(hours))

test('the day and the hour of an instant are those of the zone', () => {
  const instant = Date.parse('2026-05-31T23:50:00Z')
  const [kolkata, berlin] = [createZoneTime('Asia/Kolkata'), createZoneTime('Europe/Berlin')]
  expect([kolkata.dayOf(instant), berlin.dayOf(instant)]).toEqual(['2026-06-01', '2026-06-01'])
  expect(new Date(kolkata.startOfHour(instant)).toISOString()).toBe('2026-05-31T23:30:00.000Z')
  expect(new Date(berlin.startOfHour(instant)).toISOString()).toBe('2026-05-31T23:00:00.000Z')
})

test('every start of a day is its first instant, in all zones, over a year', () => {
  for (const timeZone of [
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Asia/Beirut',
    'America/Santiago',
    'Asia/Tehran',
  ]) {
    const zone = createZoneTime(timeZone)
    for (let day = '2025-12-31'; day < '2027-01-01'; day = addDays(day, 1)) {
      const start = zone.startOfDay(day)
      expect([timeZone, zone.dayOf(start), zone.dayOf(start - 1)]).toEqual([timeZone, day, addDays(day, -1)])
    }
  }
})

test.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-2-1', false],
  ['foo', false],
  ['', false],
])('%s is a day: %s', (text, answer) => expect(isDay(text)).toBe(answer))
