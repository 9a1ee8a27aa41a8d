import {fireEvent, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import type {UsageTotals} from '#contract/usage.ts'
import {createZoneTime} from '#domain/zone-time.ts'
import {UsageBasis} from '#features/console/usage/usage-basis.tsx'
import {UsageTotalsView, type RangeTotals} from '#features/console/usage/usage-totals-view.tsx'
import {renderView} from '../shell/render.tsx'
import {kindOf, sum, totals, shown, figures} from './usage-fixture.ts'

const nothing: UsageTotals = {...totals, total: sum(0, '0.000000'), by_status: [], by_api: [], by_time: []}

const failure = {code: 'busy', detail: 'foo', status: 503}

type ViewProps = Partial<Parameters<typeof UsageTotalsView>[0]>

const showTotals = (props: ViewProps, options = {}) =>
  renderView(
    <UsageTotalsView
      shown={shown}
      failure={undefined}
      isStale={false}
      onRetry={() => {}}
      kindOf={kindOf}
      note={() => 'foo note'}
      {...props}
    />,
    options,
  )

const cursor = () => screen.getByRole<HTMLInputElement>('slider')

test('figures and chart of all pages, with every digit', async () => {
  await showTotals({})
  expect(figures()).toEqual(['1,234.560001', '3', '66.6%1 failed', '411.52per request'])
  expect(screen.getByRole('heading', {name: 'Credits per day'})).toBeTruthy()
  expect(screen.getByRole('list').textContent).toBe('VideoImageMusicChat')
  expect(screen.getByText('foo note')).toBeTruthy()
})

test('until the sums are there only their room is, without a number', async () => {
  await showTotals({shown: undefined})
  expect(screen.queryByRole('definition')).toBeNull()
  expect(screen.queryByRole('slider')).toBeNull()
})

test('sums that fail say why and can be read again; older ones stay', async () => {
  const onRetry = vi.fn()
  const {unmount} = await showTotals({shown: undefined, failure, onRetry})
  expect(screen.getByRole('alert').textContent).toContain("Couldn't load the totals.")
  await userEvent.click(screen.getByRole('button', {name: 'Retry'}))
  expect(onRetry).toHaveBeenCalledOnce()
  unmount()
  await showTotals({failure})
  expect(screen.getByRole('alert')).toBeTruthy()
  expect(figures()[1]).toBe('3')
})

test('a period without requests has figures and no chart', async () => {
  await showTotals({shown: {...shown, totals: nothing}})
  expect(figures()).toEqual(['0.00', '0', '–', '–'])
  expect(screen.queryByRole('slider')).toBeNull()
})

test('the cursor stands on the last column, moves to each, and shows its parts and total', async () => {
  const {container} = await showTotals({})
  const input = cursor()
  expect([input.min, input.max, input.value]).toEqual(['0', '6', '6'])
  fireEvent.focus(input)
  expect(input.getAttribute('aria-valuetext')).toContain('Mar 14: 0.00.')
  fireEvent.change(input, {target: {value: '5'}})
  const description = 'Fri, Mar 13: 1,234.560001. Video 1,234.00, Image 0.00, Music 0.00, Chat 0.560001'
  expect(input.getAttribute('aria-valuetext')).toBe(description)
  const popover = container.querySelector('[data-side="before"]')
  expect(popover?.textContent).toBe('Fri, Mar 131,234.560001Video1,234.000000Image0.000000Music0.000000Chat0.560001')
  fireEvent.keyDown(input, {key: 'Escape'})
  expect(container.querySelector('[data-side]')).toBeNull()
})

test('requests instead of credits, and a service that is gone among the others', async () => {
  await showTotals({kindOf: () => 'other'})
  await userEvent.click(screen.getByRole('radio', {name: 'Requests'}))
  expect(screen.getByRole('heading', {name: 'Requests per day'})).toBeTruthy()
  expect(screen.getByRole('list').textContent).toBe('VideoImageMusicChatOther')
  fireEvent.change(cursor(), {target: {value: '5'}})
  expect(cursor().getAttribute('aria-valuetext')).toContain('Other 3')
})

test('where nothing cost credits, the chart counts requests', async () => {
  const by_time = totals.by_time.map((slot) => ({...slot, deducted_amount: '0.000000', by_api: []}))
  await showTotals({shown: {...shown, totals: {...totals, by_time}}})
  expect(screen.getByRole('heading', {name: 'Requests per day'})).toBeTruthy()
})

test('the table of the chart has all columns, their parts and the same total', async () => {
  await showTotals({})
  await userEvent.click(screen.getByRole('button', {name: 'View as table'}))
  const rows = screen.getAllByRole('row').map(({textContent}) => textContent)
  expect(rows).toHaveLength(9)
  expect(rows[0]).toBe('TimeVideoImageMusicChatTotal')
  expect(rows[6]).toBe('Fri, Mar 131,234.0000000.0000000.0000000.5600011,234.560001')
  expect(rows[8]).toBe('Total1,234.0000000.0000000.0000000.5600011,234.560001')
  await userEvent.click(screen.getByRole('button', {name: 'View as chart'}))
  expect(cursor()).toBeTruthy()
})

test('Latin digits in every language, and no message is missing', async () => {
  const {problems} = await showTotals({}, {locale: 'ar'})
  expect(figures().join(' ')).toMatch(/1,234\.560001/)
  expect(problems).toEqual([])
})

test('sums in another zone than that of the page are said to be', async () => {
  const counted = createZoneTime('UTC')
  const note = ({zone: of}: RangeTotals) => (
    <UsageBasis count={1} timeZone="Asia/Kolkata" countedIn={of.timeZone} span={{from: 'foo', until: 'bar'}} />
  )
  const by_time = [{...totals.by_time[0]!, start: '2026-03-13T00:00:00.000Z'}]
  await showTotals({shown: {...shown, zone: counted, totals: {...totals, time_zone: 'UTC', by_time}}, note})
  expect(document.body.textContent).toContain('Times are in Asia/Kolkata')
  expect(document.body.textContent).toContain('The chart counts hours and days of UTC')
  const cursor = screen.getByRole('slider')
  fireEvent.change(cursor, {target: {value: Number(cursor.getAttribute('max')) - 1}})
  expect(cursor.getAttribute('aria-valuetext')).toContain('Fri, Mar 13: 1,234.56')
})
