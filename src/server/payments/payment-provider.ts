import type {PayWay} from '#contract/orders.ts'
import {HttpFailure} from '../http/failure.ts'
import type {payments, UnknownReason} from '../store/schema/orders.ts'

export type PaymentRow = typeof payments.$inferSelect

/**
 * The report of a provider about a payment. `amount` is in cents of a US dollar. `closed`: it cannot be paid any more,
 * and its order stays open until its own time is over; with `unknownReason` it is unknown whether it was paid.
 * `processing`: the payer is done, and their bank takes days to pay or to decline, or waits until the payer confirms
 * small deposits at `confirmUrl`. `expired`: the payer let the time of the order run out, which the simulation offers.
 */
export type PaymentReport =
  | {state: 'open'}
  | {state: 'processing'; confirmUrl?: string | undefined}
  | {state: 'paid'; amount: number}
  | {state: 'declined'}
  | {state: 'expired'}
  | {state: 'closed'; unknownReason?: UnknownReason}

/** A refund that has arrived may still fail for some weeks. */
export type RefundReport = 'underway' | 'arrived' | 'failed' | 'unknown'

/** One way to pay. Every call is safe to repeat for the same payment; each rejects with `PaymentFailure` alone. */
export type PaymentProvider = {
  way: PayWay
  /** Cents; cheaper orders are not offered this way. */
  leastAmount: number
  /** Makes the page of the payment. */
  open: (payment: PaymentRow) => Promise<{reference: string; url: string}>
  /** Asks what became of it. */
  check: (reference: string) => Promise<PaymentReport>
  /** Closes the page of a payment. `paid` or `processing` if the payer was faster. */
  close: (reference: string) => Promise<PaymentReport>
  /** Gives the money back. The name of the refund, where it may still fail. */
  refund: (payment: PaymentRow & {reference: string}) => Promise<string | undefined>
  /** Asks what became of a refund. `unknown`: the provider knows none of this name. */
  checkRefund: (reference: string) => Promise<RefundReport>
}

/** The provider cannot be reached or refuses. The message is for the log and holds no secret. */
export class PaymentFailure extends Error {}

/** The provider does not know this payment: its keys belong to another account now. */
export class PaymentUnknown extends PaymentFailure {}

export const providerAway = (cause: unknown): HttpFailure =>
  cause instanceof HttpFailure ? cause : new HttpFailure(502, 'api_error', 'paymentAway', {cause})
