import type {ServerDeps} from '../deps.ts'
import {createOrderEnds} from '../orders/end-order.ts'
import {readOrder, stateAt, type OrderRow} from '../orders/order-store.ts'
import {createAsking} from './ask-payment.ts'
import {createBegin} from './begin-payment.ts'
import {createClosing} from './close-payment.ts'
import {paymentProcessing} from './payment-failures.ts'
import {providerAway, type PaymentProvider} from './payment-provider.ts'
import {openPayment} from './payment-store.ts'
import {createPayWays} from './payment-ways.ts'
import {createSweep} from './payments-sweep.ts'
import {createRefunds} from './refunds.ts'
import {createSettle} from './settle-payment.ts'

export type Payments = ReturnType<typeof createPayments>

/**
 * Payments of orders, whatever the provider. Each step is one transaction under the order's row lock and goes forward
 * only, so that tabs, webhooks, polls and sweeps may report the same thing any number of times: an order is paid once
 * and its credits are booked in the same transaction. Providers are asked outside of transactions.
 */
export function createPayments(deps: ServerDeps, providers: readonly PaymentProvider[]) {
  const {database, now} = deps
  const {providerOf, waysFor, leastFor} = createPayWays(providers)
  const {finishFree, finishPaid, expire} = createOrderEnds(deps)
  const settle = createSettle(deps)
  const closing = createClosing(deps, {settle, providerOf})
  const {askAbout, askIfDue, lookUp} = createAsking(deps, {settle, providerOf, close: closing.close})
  const begin = createBegin(deps, {...closing, providerOf, waysFor, askIfDue})

  /**
   * Brings an order up to date: asks the provider if that is due, ends an expired order, books a paid one. A provider
   * that is away is no error; until it answers, an expired order keeps its open payment.
   */
  const refresh = async (order: OrderRow): Promise<void> => {
    if (order.price === 0 && order.state === 'Pending') return finishFree(order.id)
    if (order.state === 'Paid') return finishPaid(order.id)
    await askIfDue(order)
    if (stateAt(order, now()) !== order.state) await expire(order.id)
  }

  /** Closes the open payment of an order that its owner gives up; one that a bank works on cannot be. */
  const abandon = async (orderId: string): Promise<void> => {
    const {order, open} = await database.asSystem(async (transaction) => ({
      order: await readOrder(transaction, orderId),
      open: await openPayment(transaction, orderId),
    }))
    if (order?.processingAt != null) throw paymentProcessing()
    if (open === undefined) return
    try {
      await closing.close(open)
    } catch (error) {
      throw providerAway(error)
    }
  }

  const refunds = createRefunds(deps, providerOf)
  const sweep = createSweep(deps, {refresh, askAbout, giveBack: refunds.giveBack, askAboutRefund: refunds.askAbout})

  return {waysFor, leastFor, begin, settle, lookUp, lookUpRefund: refunds.lookUp, refresh, finishFree, abandon, sweep}
}
