import {screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useState} from 'react'
import {expect, test, vi} from 'vitest'
import type {ApiUsage} from '#contract/usage.ts'
import {figuresOfRows} from '#domain/usage-series.ts'
import {UsageBasis} from '#features/console/usage/usage-basis.tsx'
import {UsageFigures} from '#features/console/usage/usage-figures.tsx'
import {UsageRecord} from '#features/console/usage/usage-record.tsx'
import {UsageTable} from '#features/console/usage/usage-table.tsx'
import {renderView} from '../shell/render.tsx'
import {newestFirst} from './sorting.ts'
import {kindOf, figures} from './usage-fixture.ts'

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
