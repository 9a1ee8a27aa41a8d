import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {releaseProcessingOrders, takeUnsettledOrders, type OrderRow} from '../orders/order-store.ts'
import {inTurns} from '../work/bounded-work.ts'
import type {PaymentRow} from './payment-provider.ts'
import {takePayments, takeRefunds} from './payment-store.ts'

/** A payment is asked about when nothing was heard for this long; one that a bank works on for days more rarely. */
const silenceMilliseconds = 60_000
const processingSilenceMilliseconds = 10 * 60_000
const refundSilenceMilliseconds = 86_400_000
/** Calls of a provider that may hang at the same time. */
const width = 5

type Steps = {
  refresh: (order: OrderRow) => Promise<void>
  askAbout: (payment: PaymentRow) => Promise<void>
  giveBack: (payment: PaymentRow) => Promise<void>
  askAboutRefund: (payment: PaymentRow & {refundReference: string}) => Promise<void>
}

/**
 * One turn of the periodic work; a step that fails is logged and tried again by the next turn. Paid credits come first,
 * since they need no provider, then refunds, then queries: a provider that hangs delays neither.
 */
export const createSweep =
  (
    {database, log, now}: Pick<ServerDeps, 'database' | 'log' | 'now'>,
    {refresh, askAbout, giveBack, askAboutRefund}: Steps,
  ) =>
  async (): Promise<void> => {
    const at = now()
    const silentFor = (milliseconds: number) => ({now: at, silentSince: new Date(at.getTime() - milliseconds)})
    await database.asSystem((transaction) => releaseProcessingOrders(transaction, at))
    const dueWork = await database.asSystem(async (transaction) => ({
      orders: await takeUnsettledOrders(transaction, at),
      surplus: await takePayments(transaction, {state: 'surplus'}, silentFor(0)),
      open: await takePayments(transaction, {state: 'open', isProcessing: false}, silentFor(silenceMilliseconds)),
      processing: await takePayments(
        transaction,
        {state: 'open', isProcessing: true},
        silentFor(processingSilenceMilliseconds),
      ),
      refunds: await takeRefunds(transaction, silentFor(refundSilenceMilliseconds)),
    }))
    const attempt = (what: string, id: string, work: () => Promise<void>) => () =>
      work().catch((error: unknown) => log.warn(`${what} failed`, {id, ...describeError(error)}))
    const settle = (order: OrderRow) => attempt('settling an order', order.id, () => refresh(order))
    const isPaid = ({state, price}: OrderRow) => state === 'Paid' || price === 0
    await runAll([
      ...dueWork.orders.filter(isPaid).map(settle),
      ...dueWork.surplus.map((payment) => attempt('giving a payment back', payment.id, () => giveBack(payment))),
      ...[...dueWork.open, ...dueWork.processing].map((payment) =>
        attempt('asking about a payment', payment.id, () => askAbout(payment)),
      ),
      ...dueWork.refunds.map((payment) => attempt('asking about a refund', payment.id, () => askAboutRefund(payment))),
    ])
    // they end once their payments are closed; pages say so by the clock already
    await runAll(dueWork.orders.filter((order) => !isPaid(order)).map(settle))
  }

/** Begins the work in this order, a bounded number at a time. */
const runAll = (works: readonly (() => Promise<void>)[]) => inTurns(width, works, (work) => work())
