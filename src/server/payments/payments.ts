import {eq} from 'drizzle-orm'
import type {PayWay} from '#contract/orders.ts'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {badRequest, HttpFailure} from '../http/failure.ts'
import type {Ledger} from '../ledger/ledger.ts'
import {finishOrder} from '../orders/finish-order.ts'
import {lockOrder, stateAt, updateOrder, type OrderRow} from '../orders/order-store.ts'
import {orders, payments, type UnknownReason} from '../store/schema/orders.ts'
import {
  PaymentUnknown,
  providerAway,
  type PaymentProvider,
  type PaymentReport,
  type PaymentRow,
} from './payment-provider.ts'
import {lockPayment, mayBePaid, moveTo, openPayment, takeDuePayment} from './payment-store.ts'
import {createSweep} from './payments-sweep.ts'
import {createRefunds} from './refunds.ts'
import {createSettle} from './settle-payment.ts'

export type PaymentsParts = {deps: ServerDeps; ledger: Ledger; providers: readonly PaymentProvider[]}

/** How a payment is begun: what the provider shows, and where it leads back to. */
export type PaymentWish = {way: PayWay; title: string; returnUrl: string; locale: string; baseUrl: string}

export type Payments = ReturnType<typeof createPayments>

/** Tabs that change the way of payment under each other give up after this many turns. */
const mostTurns = 4
/** However many tabs poll an order, its provider is asked once in this time. */
const askMilliseconds = 5_000
/** The same for a payment that a bank works on for days. */
const processingAskMilliseconds = 60_000

export const orderPaid = () => new HttpFailure(409, 'conflict', 'orderPaid')
export const paymentProcessing = () => new HttpFailure(409, 'conflict', 'paymentProcessing')

/**
 * Payments of orders, whatever the provider. Each step is one transaction under the order's row lock and goes forward only,
 * so that tabs, webhooks, polls and sweeps may report the same thing any number of times: an order is paid once and its
 * credits are booked in the same transaction. Providers are asked outside of transactions.
 */
export function createPayments({deps, ledger, providers}: PaymentsParts) {
  const {config, database, log, now} = deps
  const finish = {config, ledger}
  const settle = createSettle({deps, ledger})
  const providerOf = (way: PayWay) => providers.find((provider) => provider.way === way)

  /** Ways in which this many cents can be paid. */
  const waysFor = (price: number): PayWay[] =>
    price === 0 ? [] : providers.filter(({leastAmount}) => price >= leastAmount).map(({way}) => way)

  /** The least cents that can be paid, where that is more than this price. */
  const leastFor = (price: number): number | undefined => {
    if (price === 0 || providers.length === 0 || waysFor(price).length > 0) return undefined
    return Math.min(...providers.map(({leastAmount}) => leastAmount))
  }

  /** Ends a free order. */
  const finishFree = async (orderId: string): Promise<void> =>
    database.asSystem(async (transaction) => {
      const order = await lockOrder(transaction, orderId)
      if (order.price !== 0 || order.state !== 'Pending') return
      const at = now()
      const paid = await updateOrder(transaction, orderId, {state: 'Paid', paidAt: at, updatedAt: at})
      await finishOrder(finish, transaction, paid, at)
    })

  /** Books the credits of an order that is paid. */
  const finishPaid = async (orderId: string): Promise<void> =>
    database.asSystem(async (transaction) => {
      const order = await lockOrder(transaction, orderId)
      if (order.state === 'Paid') await finishOrder(finish, transaction, order, now())
    })

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

  /** Nobody can say whether this payment was paid. Its order says so, and the operator may look at its provider. */
  const closeUnknown = (payment: PaymentRow, unknownReason: UnknownReason): PaymentReport => {
    if (!mayBePaid(payment)) return {state: 'closed'}
    const {id, orderId: order, reference} = payment
    log.error('nobody knows whether a payment was paid', {payment: id, order, reference, reason: unknownReason})
    return {state: 'closed', unknownReason}
  }

  /** A page of another account at the provider can be paid until its time is over, and we would not hear of it. */
  const unlessOver =
    (payment: PaymentRow) =>
    (error: unknown): PaymentReport => {
      if (!(error instanceof PaymentUnknown) || payment.expiresAt > now()) throw error
      return closeUnknown(payment, 'provider')
    }

  /** Lets nobody pay this payment any more; it may turn out to be paid. A page that was never handed out needs no call. */
  const close = async (payment: PaymentRow): Promise<void> => {
    const opened = payment.reference === null ? await closeOpening(payment.id) : payment
    if (opened === undefined) return
    const provider = providerOf(opened.way)
    const report: PaymentReport =
      opened.reference === null || provider === undefined
        ? closeUnknown(opened, 'away')
        : await provider.close(opened.reference).catch(unlessOver(opened))
    await settle(opened.id, report)
  }

  const findOpen = (orderId: string) => database.asSystem((transaction) => openPayment(transaction, orderId))

  /** The open payment of this way, a new one, or the open one of another way that has to be closed before. */
  const chooseStep = async (orderId: string, wish: PaymentWish) =>
    database.asSystem(async (transaction) => {
      const order = await lockOrder(transaction, orderId)
      const at = now()
      const state = stateAt(order, at)
      if (state === 'Paid' || state === 'Finished') throw orderPaid()
      if (order.processingAt !== null) throw paymentProcessing()
      if (state === 'Expired') throw new HttpFailure(409, 'conflict', 'orderExpired')
      const present = await openPayment(transaction, orderId)
      if (present !== undefined) return {payment: present, isOther: present.way !== wish.way}
      const {userId, price: amount, expiresAt} = order
      const [payment] = await transaction
        .insert(payments)
        .values({userId, orderId, ...wish, amount, expiresAt, createdAt: at, updatedAt: at})
        .returning()
      if (payment === undefined) throw new Error('The new payment was not returned')
      return {payment, isOther: false}
    })

  /** Whether the page of the provider is the payment's. Not when the payment was closed while the provider made it. */
  const handOut = async (payment: PaymentRow, page: {reference: string; url: string}): Promise<boolean> =>
    database.asSystem(async (transaction) => {
      const locked = await lockPayment(transaction, payment.id)
      if (locked === undefined) return false
      if (locked.payment.state !== 'opening') return locked.payment.reference === page.reference
      const at = now()
      await transaction
        .update(payments)
        .set({state: 'open', ...page, updatedAt: at})
        .where(eq(payments.id, payment.id))
      await updateOrder(transaction, payment.orderId, {payWay: payment.way, updatedAt: at})
      return true
    })

  const openPage = async (provider: PaymentProvider, payment: PaymentRow): Promise<boolean> => {
    try {
      return await handOut(payment, await provider.open(payment))
    } catch (error) {
      // another tab was given the page meanwhile: it is this one's too
      if ((await closeOpening(payment.id)) !== undefined) return true
      throw providerAway(error)
    }
  }

  /** Whether an open page may be handed out again: its payer may have been there. */
  const isStillOpen = async (orderId: string, {id}: PaymentRow): Promise<boolean> => {
    await askIfDue({id: orderId, processingAt: null})
    const [open, order] = [await findOpen(orderId), await findOrder(orderId)]
    return open?.id === id && order?.processingAt === null
  }

  /** Begins a payment, or finds the open one again. Two tabs get the same page. */
  const begin = async (orderId: string, price: number, wish: PaymentWish): Promise<void> => {
    const provider = providerOf(wish.way)
    if (provider === undefined || !waysFor(price).includes(wish.way)) throw badRequest('payWayNotOffered', 'pay_way')
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const {payment, isOther} = await chooseStep(orderId, wish)
      if (isOther) {
        try {
          await close(payment)
        } catch (error) {
          throw providerAway(error)
        }
      } else if (payment.state === 'opening') {
        if (await openPage(provider, payment)) return
      } else if (await isStillOpen(orderId, payment)) return
    }
    throw new HttpFailure(409, 'conflict', 'payWayChanged')
  }

  const findOrder = async (orderId: string): Promise<OrderRow | undefined> => {
    const [order] = await database.asSystem((transaction) =>
      transaction.select().from(orders).where(eq(orders.id, orderId)),
    )
    return order
  }

  /** Nothing is owed for it any more: its time is over, or its order is paid in another way. */
  const isOver = async ({expiresAt, orderId}: PaymentRow): Promise<boolean> => {
    const order = await findOrder(orderId)
    if (order?.state === 'Paid' || order?.state === 'Finished') return true
    return expiresAt <= now() && order?.processingAt == null
  }

  /** Asks the provider about a payment. One that is over is closed by that, if nobody paid it at the last moment. */
  const askAbout = async (payment: PaymentRow): Promise<void> => {
    if (await isOver(payment)) return close(payment)
    const provider = providerOf(payment.way)
    if (payment.reference === null || provider === undefined) return
    await settle(payment.id, await provider.check(payment.reference))
  }

  /**
   * Asks what became of a payment, since its provider says that something did.
   *
   * @throws HttpFailure 502 where it does not answer; it says so again later
   */
  const lookUp = async ({id, way}: PaymentRow, reference: string): Promise<void> => {
    const report = await providerOf(way)
      ?.check(reference)
      .catch((error: unknown) => {
        throw providerAway(error)
      })
    if (report !== undefined) await settle(id, report)
  }

  /** Asks about the open payment of an order, unless another request did a moment ago. */
  const askIfDue = async ({id: orderId, processingAt}: Pick<OrderRow, 'id' | 'processingAt'>): Promise<void> => {
    const at = now()
    const pace = processingAt === null ? askMilliseconds : processingAskMilliseconds
    const askedBefore = new Date(at.getTime() - pace)
    const due = await database.asSystem((transaction) => takeDuePayment(transaction, orderId, {now: at, askedBefore}))
    if (due === undefined) return
    try {
      await askAbout(due)
    } catch (error) {
      log.warn('a payment provider does not answer', {order: orderId, payment: due.id, ...describeError(error)})
    }
  }

  /** Ends an order whose time is over, once nobody can pay it any more. */
  const expire = async (orderId: string): Promise<void> =>
    database.asSystem(async (transaction) => {
      const order = await lockOrder(transaction, orderId)
      const at = now()
      if (stateAt(order, at) !== 'Expired' || order.state === 'Expired') return
      const open = await openPayment(transaction, orderId)
      if (open?.state === 'open') return
      // nobody was given the page of one that is still opening
      if (open !== undefined) await moveTo(transaction, open, 'closed', {at})
      await updateOrder(transaction, orderId, {state: 'Expired', updatedAt: at})
    })

  /**
   * Brings an order up to date: asks the provider where that is due, ends what is over, books what is paid. A provider that
   * is away is no error; until it answers, an order whose time is over keeps its open payment.
   */
  const refresh = async (order: OrderRow): Promise<void> => {
    if (order.price === 0 && order.state === 'Pending') return finishFree(order.id)
    if (order.state === 'Paid') return finishPaid(order.id)
    await askIfDue(order)
    if (stateAt(order, now()) !== order.state) await expire(order.id)
  }

  /** Closes the open payment of an order that its owner gives up; one that a bank works on cannot be. */
  const abandon = async (orderId: string): Promise<void> => {
    if ((await findOrder(orderId))?.processingAt != null) throw paymentProcessing()
    const open = await findOpen(orderId)
    if (open === undefined) return
    try {
      await close(open)
    } catch (error) {
      throw providerAway(error)
    }
  }

  const refunds = createRefunds(deps, providerOf)
  const sweep = createSweep(deps, {refresh, askAbout, giveBack: refunds.giveBack, askAboutRefund: refunds.askAbout})

  return {waysFor, leastFor, begin, settle, lookUp, lookUpRefund: refunds.lookUp, refresh, finishFree, abandon, sweep}
}
