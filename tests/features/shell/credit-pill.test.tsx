import {screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {type Application} from '#contract/management.ts'
import {ApplicationList} from '#features/shell/application-list.tsx'
import {CreditPill, type Balance} from '#features/shell/credit-pill.tsx'
import {renderView} from './render.tsx'

const general: Application = {id: 'foo', type: 'Usage', scope: 'Global', remaining_amount: 1284.5}
const period: Application = {
  id: 'bar',
  type: 'Period',
  scope: 'Individual',
  service_id: 'chat',
  service: {id: 'chat', title: 'Bar Chat', unit: 'points'},
  remaining_amount: 0.000123,
  expired_at: '2030-01-02T03:04:05',
}

const show = (balance: Balance, handlers: Partial<Parameters<typeof CreditPill>[0]> = {}) =>
  renderView(
    <CreditPill
      List={ApplicationList}
      balance={balance}
      applications={[general, period]}
      onChoose={() => {}}
      onRetry={() => {}}
      onStart={() => {}}
      {...handlers}
    />,
  )

test('shows what is left of the chosen application', async () => {
  await show({status: 'ready', application: general})
  expect(screen.getByRole('button').textContent).toContain('1,284.50 credits')
})

test('the list names scope, type, expiry and amount with six decimals, and chooses', async () => {
  const onChoose = vi.fn()
  await show({status: 'ready', application: general}, {onChoose})
  await userEvent.click(screen.getByRole('button'))
  const rows = await screen.findAllByRole('radio')
  expect(rows.map((row) => [row.textContent, row.getAttribute('aria-checked')])).toEqual([
    ['General balanceUsage · Never expires1,284.50 credits', 'true'],
    // isolated: between Arabic words the parts of a date change positions
    ['Bar ChatPeriod · Expires \u20682030-01-02 03:04:05\u20690.000123 points', 'false'],
  ])
  await userEvent.click(screen.getByRole('radio', {name: /Bar Chat/}))
  expect(onChoose).toHaveBeenCalledWith('bar')
})

test('links to usage and credits of the chosen application', async () => {
  await show({status: 'ready', application: general})
  await userEvent.click(screen.getByRole('button'))
  expect((await screen.findByRole('link', {name: 'Usage'})).getAttribute('href')).toBe(
    '/console/usages?application_id=foo',
  )
  expect(screen.getByRole('link', {name: 'Add credits'}).getAttribute('href')).toBe('/console/applications/foo/extra')
})

test('loading is a placeholder before the unit, not a number', async () => {
  await show({status: 'loading'})
  const pill = screen.getByRole('button')
  expect(pill.getAttribute('aria-busy')).toBe('true')
  expect(pill.textContent).toMatch(/ credits$/)
  expect(pill.textContent).not.toMatch(/[\d–…]/)
  expect(pill.querySelector('bdi > [aria-hidden="true"]')).not.toBeNull()
})

test('a failure says so and can be retried', async () => {
  const onRetry = vi.fn()
  await show({status: 'failed'}, {onRetry})
  expect(screen.getByRole('button').textContent).toContain('Balance unavailable')
  await userEvent.click(screen.getByRole('button'))
  await userEvent.click(await screen.findByRole('button', {name: 'Retry'}))
  expect(onRetry).toHaveBeenCalledTimes(1)
})

test('nobody has an application yet: one way to start', async () => {
  const onStart = vi.fn()
  await show({status: 'none'}, {onStart})
  await userEvent.click(screen.getByRole('button', {name: 'Get started'}))
  expect(onStart).toHaveBeenCalledTimes(1)
})

test('while the credential is made the pill says so and keeps the amount', async () => {
  await show({status: 'preparing', application: general})
  expect(screen.getByRole('img', {name: 'Getting your key'})).toBeVisible()
  expect(screen.getByRole('button').textContent).toContain('1,284.50')
})
