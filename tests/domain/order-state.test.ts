import {expect, test} from 'vitest'
import type {Order} from '#contract/orders.ts'
import {canBePaid} from '#domain/order-state.ts'

test.each<[Partial<Order>, boolean]>([
  [{state: 'Pending'}, true],
  [{state: 'Failed'}, true],
  [{state: 'Pending', processing_at: '2026-11-24T10:00:00Z'}, false],
  [{state: 'Failed', processing_at: '2026-11-24T10:00:00Z'}, false],
  [{state: 'Paid'}, false],
  [{state: 'Expired'}, false],
])('the payment of an order %o can begin: %s', (fields, expected) => {
  expect(canBePaid({id: 'foo', ...fields})).toBe(expected)
})
