import type {ServerDeps} from '../deps.ts'
import type {UnknownReason} from '../store/schema/orders.ts'
import {PaymentUnknown, type PaymentReport, type PaymentRow} from './payment-provider.ts'
import {lockPayment, mayBePaid, moveTo} from './payment-store.ts'
import type {PayWays} from './payment-ways.ts'
import type {Settle} from './settle-payment.ts'

export type Closing = ReturnType<typeof createClosing>

/** Closes payments, so that the order can be paid in another way or ends. */
export function createClosing(
  {database, log, now}: Pick<ServerDeps, 'database' | 'log' | 'now'>,
  {settle, providerOf}: {settle: Settle; providerOf: PayWays['providerOf']},
) {
  /**
   * Closes a payment whose page was not handed out yet. If another tab has got it since, the payment stays as it is.
   *
   * @returns the payment that stays, if it can be paid
   */
  const closeOpening = async (paymentId: string): Promise<PaymentRow | undefined> =>
    database.asSystem(async (transaction) => {
      const {payment} = (await lockPayment(transaction, paymentId)) ?? {}
      if (payment?.state === 'opening') await moveTo(transaction, payment, 'closed', {at: now()})
      return payment?.state === 'open' ? payment : undefined
    })

  /** Reports a payment that may or may not be paid. The order says so; the operator may ask the provider. */
  const closeUnknown = (payment: PaymentRow, unknownReason: UnknownReason): PaymentReport => {
    if (!mayBePaid(payment)) return {state: 'closed'}
    const {id, orderId: order, reference} = payment
    log.error('nobody knows whether a payment was paid', {payment: id, order, reference, reason: unknownReason})
    return {state: 'closed', unknownReason}
  }

  /** A page of another account at the provider can be paid until it expires, and no report of that reaches us. */
  const unlessExpired =
    (payment: PaymentRow) =>
    (error: unknown): PaymentReport => {
      if (!(error instanceof PaymentUnknown) || payment.expiresAt > now()) throw error
      return closeUnknown(payment, 'provider')
    }

  /** Closes a payment, or settles it if it turns out to be paid. A page that was never handed out needs no call. */
  const close = async (payment: PaymentRow): Promise<void> => {
    const openPayment = payment.reference === null ? await closeOpening(payment.id) : payment
    if (openPayment === undefined) return
    const provider = providerOf(openPayment.way)
    const report: PaymentReport =
      openPayment.reference === null || provider === undefined
        ? closeUnknown(openPayment, 'away')
        : await provider.close(openPayment.reference).catch(unlessExpired(openPayment))
    await settle(openPayment.id, report)
  }

  return {close, closeOpening}
}
