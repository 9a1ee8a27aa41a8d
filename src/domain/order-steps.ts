import type {Order} from '#contract/orders.ts'
import {isFinished, isPaymentOpen, isProcessing} from './order-state.ts'

export type OrderStep = {
  name: 'created' | 'waiting' | 'processing' | 'paid' | 'credited' | 'failed' | 'expired' | 'refunded'
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

/**
 * How far an order is (design/screens §8): created, waiting for its payment, paid, credits added, or where it stopped.
 * Nothing is paid for a free one.
 */
export function orderSteps(order: Order): OrderStep[] {
  const isFree = Number(order.price ?? 1) === 0
  const creation = step('created', 'done', order.created_at)
  const waiting = isFree
    ? []
    : [isProcessing(order) ? step('processing', 'next', order.processing_at) : step('waiting', 'next', order.opened_at)]
  const paymentSteps = isFree ? [] : [step('paid', 'done', order.paid_at)]
  if (isFinished(order)) return [creation, ...paymentSteps, step('credited', 'done', order.finished_at)]
  switch (order.state) {
    case 'Pending':
      return [creation, ...waiting, step('credited', isFree ? 'next' : 'open')]
    case 'Failed':
      return [
        creation,
        step('failed', 'stopped', order.failed_at),
        ...(isPaymentOpen(order) || isProcessing(order) ? waiting : []),
        step('credited', 'open'),
      ]
    case 'Paid':
      return [creation, ...paymentSteps, step('credited', 'next')]
    case 'Expired':
      return [
        creation,
        ...(order.failed_at == null ? [] : [step('failed', 'stopped', order.failed_at)]),
        step('expired', 'stopped', order.expired_at),
      ]
    case 'Refunded':
      return [creation, ...paymentSteps, step('refunded', 'stopped')]
    default:
      return [creation]
  }
}
