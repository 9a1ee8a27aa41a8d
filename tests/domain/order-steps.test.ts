import {expect, test} from 'vitest'
import type {Order} from '#contract/orders.ts'
import {orderSteps} from '#domain/order-steps.ts'

const order: Order = {
  id: 'foo',
  price: 9.9,
  pay_ways: [],
  created_at: '2026-11-24T09:00:00Z',
  expired_at: '2026-11-24T10:00:00Z',
  paid_at: '2026-11-24T09:05:00Z',
  finished_at: '2026-11-24T09:06:00Z',
}
const opened_at = '2026-11-24T09:02:00Z'
const failed_at = '2026-11-24T09:03:00Z'
const words = (changed: Partial<Order>) =>
  orderSteps({...order, ...changed}).map(({name, progress, at}) => `${name} ${progress} ${at?.slice(11, 16) ?? '–'}`)

test.each<[string, Partial<Order>, string[]]>([
  ['unpaid', {state: 'Pending'}, ['created done 09:00', 'waiting next –', 'credited open –']],
  ['being paid', {state: 'Pending', opened_at}, ['created done 09:00', 'waiting next 09:02', 'credited open –']],
  ['declined', {state: 'Failed', failed_at}, ['created done 09:00', 'failed stopped 09:03', 'credited open –']],
  [
    'declined and being paid again',
    {state: 'Failed', failed_at, opened_at, pay_url: '/pay'},
    ['created done 09:00', 'failed stopped 09:03', 'waiting next 09:02', 'credited open –'],
  ],
  [
    'with the bank of the payer',
    {state: 'Pending', opened_at, processing_at: failed_at},
    ['created done 09:00', 'processing next 09:03', 'credited open –'],
  ],
  [
    'declined, and then with the bank of the payer',
    {state: 'Failed', failed_at, processing_at: opened_at},
    ['created done 09:00', 'failed stopped 09:03', 'processing next 09:02', 'credited open –'],
  ],
  ['paid', {state: 'Paid'}, ['created done 09:00', 'paid done 09:05', 'credited next –']],
  ['finished', {state: 'Finished'}, ['created done 09:00', 'paid done 09:05', 'credited done 09:06']],
  ['expired', {state: 'Expired'}, ['created done 09:00', 'expired stopped 10:00']],
  [
    'expired after a payment was declined',
    {state: 'Expired', failed_at},
    ['created done 09:00', 'failed stopped 09:03', 'expired stopped 10:00'],
  ],
  ['refunded', {state: 'Refunded'}, ['created done 09:00', 'paid done 09:05', 'refunded stopped –']],
  ['free', {state: 'Finished', price: 0}, ['created done 09:00', 'credited done 09:06']],
  ['free and not taken', {state: 'Pending', price: 0}, ['created done 09:00', 'credited next –']],
  ['of an unknown state', {state: undefined}, ['created done 09:00']],
])('an order that is %s', (_, changed, steps) => expect(words(changed)).toEqual(steps))

test('a foreign back end ends with Paid and names no times of its own', () => {
  expect(orderSteps({id: 'foo', state: 'Paid', price: 1}).map(({name, progress, at}) => [name, progress, at])).toEqual([
    ['created', 'done', undefined],
    ['paid', 'done', undefined],
    ['credited', 'done', undefined],
  ])
})
