import {describe, expect, test} from 'vitest'
import type {UsageTotals} from '#contract/usage.ts'
import {niceScale} from '#domain/nice-scale.ts'
import {columnStarts, periodOf, usageRange} from '#domain/usage-period.ts'
import {
  figuresOfRows,
  figuresOfTotals,
  outcomeOf,
  sumColumns,
  usageColumns,
  type UsageKind,
} from '#domain/usage-series.ts'
import {createZoneTime} from '#domain/zone-time.ts'

const at = Date.parse
const iso = (instants: readonly number[]) => instants.map((instant) => new Date(instant).toISOString())
const berlin = createZoneTime('Europe/Berlin')
const kolkata = createZoneTime('Asia/Kolkata')

describe('the period of an address', () => {
  test.each([
    [{}, '30d'],
    [{period: '24h'}, '24h'],
    [{period: '7d'}, '7d'],
    [{period: 'foo'}, '30d'],
    [{period: 'custom'}, '30d'],
    [{period: 'custom', from: '2026-03-02', to: '2026-03-01'}, '30d'],
    [{period: 'custom', from: '2026-02-30', to: '2026-03-01'}, '30d'],
    [{period: 'custom', from: '2026-03-01', to: '2026-03-01'}, 'custom'],
  ])('%o is %s', (query, period) => expect(periodOf(query)).toBe(period))

  test('seven days are the present one and six before it, up to now', () => {
    const now = at('2026-04-01T10:20:30Z')
    expect(usageRange({period: '7d'}, now, berlin)).toEqual({
      period: '7d',
      from: at('2026-03-25T23:00:00Z'),
      until: now,
      step: 'day',
      days: {from: '2026-03-26', to: '2026-04-01'},
      isCut: false,
    })
  })

  test('24 hours are the present one and 23 before it, from half past where the zone says so', () => {
    const now = at('2026-04-01T10:20:30Z')
    const range = usageRange({period: '24h'}, now, kolkata)
    expect([range.step, ...iso([range.from, range.until])]).toEqual([
      'hour',
      '2026-03-31T10:30:00.000Z',
      '2026-04-01T10:20:30.000Z',
    ])
    expect(columnStarts(range, kolkata)).toHaveLength(24)
  })

  test('a custom period ends with the last instant of its last day, or now', () => {
    const query = {period: 'custom', from: '2026-03-01', to: '2026-03-31'}
    const past = usageRange(query, at('2026-06-01T00:00:00Z'), berlin)
    expect(iso([past.from, past.until])).toEqual(['2026-02-28T23:00:00.000Z', '2026-03-31T21:59:59.999Z'])
    const now = at('2026-03-15T00:00:00Z')
    expect(usageRange(query, now, berlin).until).toBe(now)
  })

  test('a custom period of too many days is cut; one of two days is counted by the hour', () => {
    const now = at('2026-06-01T00:00:00Z')
    const cut = usageRange({period: 'custom', from: '2020-01-01', to: '2026-01-01'}, now, berlin)
    expect([cut.days.to, cut.isCut]).toEqual(['2020-12-31', true])
    expect(usageRange({period: 'custom', from: '2020-01-01', to: '2020-12-31'}, now, berlin).isCut).toBe(false)
    expect(usageRange({period: 'custom', from: '2026-01-01', to: '2026-01-02'}, now, berlin).step).toBe('hour')
    expect(usageRange({period: 'custom', from: '2026-01-01', to: '2026-01-03'}, now, berlin).step).toBe('day')
  })
})

describe('columns', () => {
  const now = at('2026-06-01T00:00:00Z')
  const starts = (from: string, to: string, zone = berlin) =>
    columnStarts(usageRange({period: 'custom', from, to}, now, zone), zone)

  test('one for each day, also where the clocks change', () => {
    expect(iso(starts('2026-03-28', '2026-03-31'))).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-03-30T22:00:00.000Z',
    ])
  })

  test('a short day has 23 hours, a long one 25', () => {
    expect(starts('2026-03-29', '2026-03-29')).toHaveLength(23)
    const later = at('2026-12-01T00:00:00Z')
    const long = usageRange({period: 'custom', from: '2026-10-25', to: '2026-10-25'}, later, berlin)
    expect(columnStarts(long, berlin)).toHaveLength(25)
  })

  test('a day that the zone left out has none', () => {
    const apia = createZoneTime('Pacific/Apia')
    const range = usageRange({period: 'custom', from: '2011-12-28', to: '2012-01-01'}, now, apia)
    expect(columnStarts(range, apia)).toHaveLength(4)
  })

  test('counted in another zone than the period was made in, each of its instants has a column', () => {
    const utc = createZoneTime('UTC')
    const now = at('2026-04-01T20:20:30Z')
    const ends = (period: string) => {
      const starts = iso(columnStarts(usageRange({period}, now, kolkata), utc))
      return [starts.length, starts[0], starts.at(-1)]
    }
    expect(ends('7d')).toEqual([7, '2026-03-26T00:00:00.000Z', '2026-04-01T00:00:00.000Z'])
    expect(ends('24h')).toEqual([25, '2026-03-31T20:00:00.000Z', '2026-04-01T20:00:00.000Z'])
  })

  test('a period that has not begun has its columns', () => {
    expect(starts('2027-01-01', '2027-01-05')).toHaveLength(5)
  })
})

const sum = (count: number, deducted_amount: string) => ({count, deducted_amount})
const totals: UsageTotals = {
  total: sum(4, '123456789.123459'),
  by_status: [
    {status_class: 2, ...sum(3, '123456789.123459')},
    {status_class: 5, ...sum(1, '0.000000')},
  ],
  by_api: [
    {api_id: 'foo', service_id: 'kling', title: 'Foo', ...sum(3, '123456789.123456')},
    {api_id: 'bar', title: 'Bar', ...sum(1, '0.000003')},
  ],
  time_zone: 'Europe/Berlin',
  step: 'day',
  by_time: [
    {
      start: '2026-03-28T23:00:00.000Z',
      ...sum(3, '123456789.123456'),
      by_status: [],
      by_api: [{api_id: 'foo', ...sum(3, '123456789.123456')}],
    },
    {
      // the server begins an ambiguous day at its second midnight
      start: '2026-03-30T23:00:00.000Z',
      ...sum(1, '0.000003'),
      by_status: [],
      by_api: [{api_id: 'bar', ...sum(1, '0.000003')}],
    },
  ],
}
const kindOf = (id: string | undefined): UsageKind => (id === 'kling' ? 'video' : 'other')

describe('series', () => {
  const starts = ['2026-03-27T23:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z', '2026-03-30T22:00Z'].map(at)

  test('each kind in its column, nothing where nothing was called, unknown services as others', () => {
    const columns = usageColumns(totals, starts, kindOf)
    expect(columns.map(({total, parts}) => [total.count, parts.video.micro, parts.other.micro])).toEqual([
      [0, 0n, 0n],
      [3, 123_456_789_123_456n, 0n],
      [0, 0n, 0n],
      [1, 0n, 3n],
    ])
  })

  test('columns add up to the total, also what begins before the first', () => {
    for (const part of [starts, starts.slice(2), starts.slice(0, 1)])
      expect(sumColumns(usageColumns(totals, part, kindOf)).total).toEqual({count: 4, micro: 123_456_789_123_459n})
  })

  test('figures of the server and figures of rows', () => {
    expect(figuresOfTotals(totals)).toEqual({count: 4, micro: 123_456_789_123_459n, succeeded: 3})
    expect(
      figuresOfRows([
        {id: '1', status_code: 200, deducted_amount: 0.1},
        {id: '2', status_code: 201, deducted_amount: 0.2},
        {id: '3', status_code: 503},
      ]),
    ).toEqual({count: 3, micro: 300_000n, succeeded: 2})
  })

  test.each([
    [200, 'succeeded'],
    [204, 'succeeded'],
    [400, 'refused'],
    [403, 'refused'],
    [429, 'putOff'],
    [500, 'failed'],
    [304, 'failed'],
  ])('status %i is %s', (status, outcome) => expect(outcomeOf(status)).toBe(outcome))
})

test.each([
  [29.06, false, [0, 8, 16, 24, 32]],
  [0.0003, false, [0, 0.00008, 0.00016, 0.00024, 0.00032]],
  [3, true, [0, 1, 2, 3]],
  [1, true, [0, 1]],
  [0, false, [0, 1]],
])('the axis up to %d', (highest, isWhole, marks) => {
  const scale = niceScale(highest, isWhole)
  expect(scale).toHaveLength(marks.length)
  for (const [index, mark] of marks.entries()) expect(scale[index]).toBeCloseTo(mark)
})
