import {screen} from '@testing-library/react'
import type {UsageTotals} from '#contract/usage.ts'
import {usageRange} from '#domain/usage-period.ts'
import type {UsageKind} from '#domain/usage-series.ts'
import {createZoneTime} from '#domain/zone-time.ts'
import type {RangeTotals} from '#features/console/usage/usage-totals-view.tsx'

const zone = createZoneTime('Europe/Berlin')

const now = Date.parse('2026-03-14T09:41:10Z')

export const kindOf = (id: string | undefined): UsageKind =>
  id === 'kling' ? 'video' : id === 'chat' ? 'chat' : 'other'

export const sum = (count: number, deducted_amount: string) => ({count, deducted_amount})

export const totals: UsageTotals = {
  total: sum(3, '1234.560001'),
  by_status: [
    {status_class: 2, ...sum(2, '1234.560001')},
    {status_class: 4, ...sum(1, '0.000000')},
  ],
  by_api: [
    {api_id: 'chat', service_id: 'chat', title: 'AI Chat', ...sum(2, '0.560001')},
    {api_id: 'kling', service_id: 'kling', title: 'Kling videos', ...sum(1, '1234.000000')},
  ],
  time_zone: 'Europe/Berlin',
  step: 'day',
  by_time: [
    {
      start: '2026-03-12T23:00:00.000Z',
      ...sum(3, '1234.560001'),
      by_status: [],
      by_api: [
        {api_id: 'chat', ...sum(2, '0.560001')},
        {api_id: 'kling', ...sum(1, '1234.000000')},
      ],
    },
  ],
}

export const shown: RangeTotals = {totals, range: usageRange({period: '7d'}, now, zone), filter: {}, zone}

export const figures = () => screen.getAllByRole('definition').map(({textContent}) => textContent)
