import {fireEvent, screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {UsageBasis} from '#features/console/usage/usage-basis.tsx'
import {DaysChoice, PeriodChoice, UsageChoice} from '#features/console/usage/usage-filters.tsx'
import {renderView} from '../shell/render.tsx'

test('what the figures rest on: how many, which time, which zone, and that of the file', async () => {
  await renderView(<UsageBasis count={1234} timeZone="Asia/Kolkata" span={{from: 'foo', until: 'bar'}} />)
  expect(document.body.textContent).toContain(
    'Requests counted: 1,234, from foo to bar. Times are in Asia/Kolkata; the CSV file has them in UTC.',
  )
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
