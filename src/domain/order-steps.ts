import type {Order} from '#contract/orders.ts'
import {isFinished} from './order-state.ts'

export type OrderStep = {
  name: 'created' | 'paid' | 'credited' | 'failed' | 'expired' | 'refunded'
  /** `next`: what the order waits for. */
  progress: 'done' | 'next' | 'open' | 'stopped'
  /** When it happened, if the back end says so. */
  at?: string
}

const step = (name: OrderStep['name'], progress: OrderStep['progress'], at?: string | null): OrderStep => ({
  name,
  progress,
  ...(at == null ? {} : {at}),
})

/** How far an order is (design/screens §8): created, paid, credits added, or where it stopped. Nothing is paid for a free one. */
export function orderSteps(order: Order): OrderStep[] {
  const created = step('created', 'done', order.created_at)
  const paid = Number(order.price ?? 1) === 0 ? [] : [step('paid', 'done', order.paid_at)]
  if (isFinished(order)) return [created, ...paid, step('credited', 'done', order.finished_at)]
  switch (order.state) {
    case 'Pending':
      return [
        created,
        ...paid.map(({name}) => step(name, 'next')),
        step('credited', paid.length === 0 ? 'next' : 'open'),
      ]
    case 'Failed':
      return [created, step('failed', 'stopped'), step('credited', 'open')]
    case 'Paid':
      return [created, ...paid, step('credited', 'next')]
    case 'Expired':
      return [created, step('expired', 'stopped', order.expired_at)]
    case 'Refunded':
      return [created, ...paid, step('refunded', 'stopped')]
    default:
      return [created]
  }
}
