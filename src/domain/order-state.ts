import type {Order, PayWay} from '#contract/orders.ts'

/** Ways of a foreign back end, which does not say what it offers (contract/platform §2). */
const foreignPayWays: readonly PayWay[] = ['WechatPay', 'AliPay', 'Stripe']

/** The ways in which an order can be paid now. */
export const payWaysOf = (order: Order | undefined): readonly PayWay[] =>
  order === undefined ? [] : (order.pay_ways ?? foreignPayWays)

/** Whether this way of payment shows a code for a phone instead of a page. */
export const isScanned = (payWay: PayWay | undefined) => payWay === 'WechatPay'

/** Whether a page has to be opened to pay the order in this way. A price that is not told may be one. */
export const hasPage = ({price}: Order, payWay: PayWay) => !isScanned(payWay) && (price == null || Number(price) > 0)

/** Money and credits are there. A foreign back end may name no other end than `Paid`. */
export const isFinished = (order: Order | undefined) =>
  order?.state === 'Finished' || (order?.state === 'Paid' && order.pay_ways == null)

/** The money is there; its credits may be on their way. */
export const isPaid = (order: Order | undefined) => order?.state === 'Paid'

/** The order can no longer be paid. */
export const isClosed = (order: Order | undefined) => order?.state === 'Expired' || order?.state === 'Refunded'

/**
 * A page of payment stands open. Our server sends `pay_url` exactly as long; a foreign one keeps it after a payment
 * failed, so that a failed order there is chosen for anew.
 */
export const isPaymentOpen = (order: Order | undefined) =>
  order?.pay_url != null && (order.state === 'Pending' || (order.state === 'Failed' && order.pay_ways != null))

/** The payer has done everything, and their bank takes days to pay or to decline. */
export const isProcessing = (order: Order | undefined) =>
  order?.processing_at != null && (order.state === 'Pending' || order.state === 'Failed')

/**
 * The money for an order that is not paid. Unknown: nobody could say whether a payment was paid. Unclear: the page of
 * its payment is still open, or the back end is a foreign one, which does not say. Returned: some came and goes back.
 */
export function chargeOf(order: Order): 'none' | 'unknown' | 'unclear' | 'returned' {
  if ((order.unknown_payments ?? 0) > 0) return 'unknown'
  if (order.opened_at != null || order.pay_ways == null) return 'unclear'
  return (order.surplus_payments ?? 0) + (order.settled_refunds ?? 0) > 0 ? 'returned' : 'none'
}

/** Expired, but its money may have come: to look again goes before another order. */
export const mayBePaid = (order: Order) => order.state === 'Expired' && ['unknown', 'unclear'].includes(chargeOf(order))

/** The order is neither paid nor closed. */
export const isPayable = (order: Order) => order.state === 'Pending' || order.state === 'Failed'

/** Its payment can begin, or begin again. */
export const canBePaid = (order: Order) => isPayable(order) && !isProcessing(order)
