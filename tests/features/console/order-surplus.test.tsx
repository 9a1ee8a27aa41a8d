import {screen} from '@testing-library/react'
import {beforeEach, expect, test} from 'vitest'
import type {PriceCurrency} from '#features/console/price-text.tsx'
import {dollars, open, page, pending, resetPage, showOrder} from './order-view.fixtures.tsx'

beforeEach(resetPage)

test('money that came twice goes back, and the order says so', async () => {
  await showOrder({...open, state: 'Finished', surplus_payments: 1})
  expect(screen.getByText(/You paid once too often/)).toBeTruthy()
})

test('money of another amount goes back: the order says so, and can still be paid', async () => {
  await showOrder({...pending, state: 'Failed', surplus_payments: 1, mismatched_payments: 1})
  expect(screen.getByText(/Money came that was not the price/)).toBeTruthy()
  expect(screen.getByRole('button', {name: /^Pay/})).toBeTruthy()
  expect(screen.queryByText(/Nothing was charged|You paid once too often/)).toBeNull()
})

test('an expired order whose money goes back does not say that nothing was charged', async () => {
  await showOrder({...pending, state: 'Expired', pay_ways: [], surplus_payments: 2, mismatched_payments: 1})
  expect(screen.getByText(/Money came that was not the price/)).toBeTruthy()
  expect(screen.getByText(/You paid once too often/)).toBeTruthy()
  expect(screen.queryByText(/Nothing was charged/)).toBeNull()
})

test.each<[string, string | undefined, string | undefined]>([
  ['leads there', 'https://payments.stripe.test/foo', 'https://payments.stripe.test/foo'],
  ['never to a script', 'javascript:alert(1)', undefined],
  ['is none without a page', undefined, undefined],
])('a debit that its payer has to confirm %s', async (_, confirm_url, href) => {
  await showOrder({...pending, processing_at: '2026-01-01T00:00:00Z', pay_ways: [], confirm_url})
  expect(screen.queryByRole('link', {name: 'Confirm the debit'})?.getAttribute('href')).toBe(href)
  expect(screen.queryByText(/A small deposit comes to your bank account/) !== null).toBe(href !== undefined)
})

test('money that could not be given back is no longer promised', async () => {
  await showOrder({...pending, state: 'Expired', pay_ways: [], surplus_payments: 1, failed_refunds: 1})
  expect(screen.getByRole('alert').textContent).toMatch(/couldn’t be returned the way it came.*order ID/)
  expect(screen.queryByText(/Money came that was not|You paid once too often|Nothing was charged/)).toBeNull()
})

test('an order whose money was returned in another way promises nothing, and says nothing untrue', async () => {
  await showOrder({...pending, state: 'Expired', pay_ways: [], settled_refunds: 1})
  expect(screen.getByText('This order has expired.')).toBeTruthy()
  expect(screen.queryByText(/goes back|You paid once too often|Nothing was charged/)).toBeNull()
})

test('one of two payments that were not credited goes back', async () => {
  await showOrder({...open, state: 'Finished', surplus_payments: 2, failed_refunds: 1})
  expect(screen.getByRole('alert').textContent).toMatch(/couldn’t be returned/)
  expect(screen.getByText(/You paid once too often/)).toBeTruthy()
})

test.each<[string, PriceCurrency, RegExp | undefined]>([
  ['with its day', {currency: 'eur', rate: 0.9, date: '2026-01-02'}, /Exchange rate of Jan 2, 2026: .\$1. = .€0\.9000/],
  ['without one', {currency: 'jpy', rate: 149.5}, /Exchange rate: .\$1. = .¥149\.50/],
  ['not for dollars', dollars, undefined],
])('the rate stands below a converted price, %s', async (_, shown, sentence) => {
  page.money = shown
  await showOrder(pending)
  if (sentence === undefined) expect(screen.queryByText(/Exchange rate/)).toBeNull()
  else expect(screen.getByText(sentence)).toBeTruthy()
})
