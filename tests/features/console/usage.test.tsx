import {fireEvent, screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useState} from 'react'
import {expect, test, vi} from 'vitest'
import type {ApiUsage, UsageTotals} from '#contract/usage.ts'
import {usageRange} from '#domain/usage-period.ts'
import {figuresOfRows, type UsageKind} from '#domain/usage-series.ts'
import {createZoneTime} from '#domain/zone-time.ts'
import {UsageBasis} from '#features/console/usage/usage-basis.tsx'
import {UsageFigures} from '#features/console/usage/usage-figures.tsx'
import {DaysChoice, PeriodChoice, UsageChoice} from '#features/console/usage/usage-filters.tsx'
import {UsageRecord} from '#features/console/usage/usage-record.tsx'
import {UsageTable} from '#features/console/usage/usage-table.tsx'
import {UsageTotalsView, type RangeTotals} from '#features/console/usage/usage-totals-view.tsx'
import {renderView} from '../shell/render.tsx'
import {newestFirst} from './sorting.ts'

const zone = createZoneTime('Europe/Berlin')
const now = Date.parse('2026-03-14T09:41:10Z')
const kindOf = (id: string | undefined): UsageKind => (id === 'kling' ? 'video' : id === 'chat' ? 'chat' : 'other')
const sum = (count: number, deducted_amount: string) => ({count, deducted_amount})
const totals: UsageTotals = {
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
const shown: RangeTotals = {totals, range: usageRange({period: '7d'}, now, zone), filter: {}, zone}
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
const figures = () => screen.getAllByRole('definition').map(({textContent}) => textContent)
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

const row: ApiUsage = {
  id: 'foobar-foobar',
  api_id: 'kling',
  api: {title: 'Kling videos'},
  service: {id: 'kling', title: 'Kling'},
  application_id: 'application-foo',
  status_code: 200,
  trace_id: 'trace-foo',
  deducted_amount: 3.5,
  remaining_amount: 6.5,
  metadata: {service: 'kling', model: 'kling-v2', seconds: 5, estimated: 0, task: 'f'.repeat(40)},
  created_at: '2026-03-14T08:41:07Z',
}

test('a row: time, API, status with a word, short details, trace, exact credits; it opens', async () => {
  const onOpen = vi.fn()
  const failed = {...row, id: 'baz', status_code: 429, deducted_amount: 0, metadata: null}
  await renderView(
    <UsageTable rows={[row, failed]} kindOf={kindOf} isStale={false} sorting={newestFirst} onOpen={onOpen} />,
  )
  const cells = screen
    .getAllByRole('row')
    .slice(1)
    .map((line) =>
      within(line)
        .getAllByRole('cell')
        .map(({textContent}) => textContent),
    )
  expect(cells[0]?.slice(1)).toEqual(['200 Succeeded', 'kling-v2seconds: 5', 'trace-foo', '3.500000'])
  expect(cells[1]?.slice(1)).toEqual(['429 Refused', '', 'trace-foo', '0.000000'])
  await userEvent.click(screen.getAllByRole('button', {name: 'Kling videos'})[1] as Element)
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(failed)
})

/** Two pages of usage, and the way from one to the other. */
function Pages({pages}: {pages: [ApiUsage[], ApiUsage[]]}) {
  const [isNext, setNext] = useState(false)
  return (
    <>
      <button onClick={() => setNext(true)}>Next</button>
      <UsageTable
        rows={pages[isNext ? 1 : 0]}
        kindOf={kindOf}
        isStale={false}
        sorting={newestFirst}
        onOpen={() => {}}
      />
    </>
  )
}

test('another page fills the same rows, and nothing of the page before stays in them', async () => {
  const other = {...row, id: 'baz', trace_id: 'trace-baz', status_code: 500, deducted_amount: 1, metadata: null}
  await renderView(<Pages pages={[[row], [other, row]]} />)
  const line = screen.getAllByRole('row')[1]
  await userEvent.click(screen.getByRole('button', {name: /^Copy trace ID/}))
  expect(await screen.findAllByText('Copied')).not.toEqual([])
  await userEvent.click(screen.getByRole('button', {name: 'Next'}))
  const lines = screen.getAllByRole('row')
  expect(lines[1]).toBe(line)
  const cells = (each: Element | undefined) =>
    within(each as HTMLElement)
      .getAllByRole('cell')
      .map(({textContent}) => textContent)
      .slice(1)
  expect(cells(lines[1])).toEqual(['500 Failed', '', 'trace-baz', '1.000000'])
  // what was copied went along with its row
  expect(cells(lines[2])).toEqual(['200 Succeeded', 'kling-v2seconds: 5', 'Copied', '3.500000'])
})

test('the whole record in a drawer', async () => {
  const onClose = vi.fn()
  await renderView(<UsageRecord record={row} kindOf={kindOf} open onClose={onClose} />)
  const drawer = within(await screen.findByRole('dialog', {name: 'Kling videos'}))
  for (const text of [
    '200 Succeeded',
    '3.500000',
    '6.500000',
    'kling-v2',
    'f'.repeat(40),
    'trace-foo',
    'foobar-foobar',
  ])
    expect(drawer.getAllByText((_, element) => element?.textContent === text).length).toBeGreaterThan(0)
  await userEvent.click(drawer.getByRole('button', {name: 'Close'}))
  expect(onClose).toHaveBeenCalledOnce()
})

test('without the sums of the server: figures of the page, and that it is the page', async () => {
  await renderView(
    <>
      <UsageFigures figures={figuresOfRows([row])} isStale={false} />
      <UsageBasis count={1} timeZone="Europe/Berlin" />
    </>,
  )
  expect(figures()).toEqual(['3.50', '1', '100%', '3.50per request'])
  expect(screen.getByText(/only those on this page/).textContent).toContain('Europe/Berlin')
})

test('what the figures rest on: how many, which time, which zone, and that of the file', async () => {
  await renderView(<UsageBasis count={1234} timeZone="Asia/Kolkata" span={{from: 'foo', until: 'bar'}} />)
  expect(document.body.textContent).toContain(
    'Requests counted: 1,234, from foo to bar. Times are in Asia/Kolkata; the CSV file has them in UTC.',
  )
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

test('a day beyond the other one takes that along; years that are being typed wait', async () => {
  const onChange = vi.fn()
  await renderView(<DaysChoice days={{from: '2026-03-01', to: '2026-03-14'}} isCut={false} onChange={onChange} />)
  const [from, to] = [screen.getByLabelText('From'), screen.getByLabelText('To')]
  fireEvent.change(from, {target: {value: '2026-04-01'}})
  expect(onChange).toHaveBeenLastCalledWith({from: '2026-04-01', to: '2026-04-01'})
  fireEvent.change(to, {target: {value: '2026-02-01'}})
  expect(onChange).toHaveBeenLastCalledWith({from: '2026-02-01', to: '2026-02-01'})
  fireEvent.change(to, {target: {value: '0002-02-01'}})
  expect(onChange).toHaveBeenCalledTimes(2)
})

test('a period that was to end later says when it ends', async () => {
  await renderView(<DaysChoice days={{from: '2020-01-01', to: '2020-12-31'}} isCut onChange={vi.fn()} />)
  expect(screen.getByRole('status').textContent).toBe('A period is at most a year long: this one ends on 2020-12-31.')
})

test('the period by arrow keys; a filter keeps a value that is in no list', async () => {
  const onPeriod = vi.fn()
  const onChoice = vi.fn()
  const options = [{value: 'bar', label: 'Bar'}]
  await renderView(
    <>
      <PeriodChoice value="30d" onChange={onPeriod} />
      <UsageChoice id="foo" label="API" all="All APIs" options={options} value="gone" onChange={onChoice} />
    </>,
  )
  screen.getByRole('radio', {name: '30 d'}).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(onPeriod).toHaveBeenCalledExactlyOnceWith('custom')
  const select = screen.getByRole('combobox', {name: 'API'})
  expect(
    within(select)
      .getAllByRole('option')
      .map(({textContent}) => textContent),
  ).toEqual(['All APIs', 'Bar', 'gone'])
  await userEvent.selectOptions(select, 'All APIs')
  expect(onChoice).toHaveBeenCalledExactlyOnceWith('')
})
