import {assign, sendTo, setup} from 'xstate'
import type {Order, PayWay} from '#contract/orders.ts'
import {toFailure} from '#domain/failure.ts'
import {
  hasPage,
  isClosed,
  isFinished,
  isPaid,
  isPayable,
  isPaymentOpen,
  isProcessing,
  payWaysOf,
} from '#domain/order-state.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {promisePort, streamPort, unfilledAction} from '#machines/lib/ports.ts'
import {sleepUntilPort} from '#machines/lib/sleep-until.ts'
import {orderLeadMachine} from '#machines/order-lead/order-lead.machine.ts'
import type {OrderPaymentContext, OrderPaymentEvent, OrderPaymentInput, ReturnStay} from './order-payment.types.ts'

/** When an unpaid order expires; a back end that does not say so lets it wait. */
export const endOf = (order: Order | undefined): number => {
  const at = Date.parse(order?.expired_at ?? '')
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : at
}

const hasChanged = (error: unknown) => toFailure(error).status === 409

/** Ports, guards, delays and actions of the payment of one order. */
export const orderPaymentSetup = setup({
  types: {
    input: {} as OrderPaymentInput,
    context: {} as OrderPaymentContext,
    events: {} as OrderPaymentEvent,
    tags: {} as 'busy' | 'payable',
  },
  actors: {
    environmentChanges,
    /** The order as the server and its payment provider know it now. */
    readOrder: promisePort<Order, {orderId: string}>('readOrder'),
    /** The order with the page of its payment. Rejects with 409 when it is paid or expired. */
    startPayment: promisePort<Order, {orderId: string; payWay: PayWay}>('startPayment'),
    /** Presses of a key that keep the user here. */
    stayPresses: streamPort<ReturnStay>('stayPresses'),
    sleepUntil: sleepUntilPort(),
    orderLead: orderLeadMachine,
  },
  delays: {
    callDeadline: 20_000,
    returnDelay: 2_000,
    /** The browser answers at once, or never. */
    leadDelay: 1_000,
    pollInterval: ({context}) => (context.refusals === 0 ? 2_000 : 5_000),
    /** A bank works for days; the page asks at once when it is shown. */
    processingInterval: 180_000,
  },
  guards: {
    isFinished: ({context}) => isFinished(context.order),
    hasWayBack: ({context: {returnTo}}) => returnTo !== undefined,
    leadsBack: ({context: {order, firstState, returnTo, wasAwaited}}) =>
      returnTo !== undefined &&
      isFinished(order) &&
      (wasAwaited || firstState === 'Pending' || firstState === 'Failed'),
    isPaid: ({context}) => isPaid(context.order),
    isClosed: ({context}) => isClosed(context.order),
    isPaymentOpen: ({context}) => isPaymentOpen(context.order),
    isProcessing: ({context}) => isProcessing(context.order),
    isOffered: ({context}, {payWay}: {payWay: PayWay}) => payWaysOf(context.order).includes(payWay),
    opensPage: ({context: {order}}, {payWay}: {payWay: PayWay}) =>
      order !== undefined && payWaysOf(order).includes(payWay) && hasPage(order, payWay),
    hasPayPage: ({context}) => context.order?.pay_url != null,
    staysUnpaid: (_, {output}: {output: Order}) => isPayable(output) && !isPaymentOpen(output) && !isProcessing(output),
    staysOpen: (_, {output}: {output: Order}) => isPaymentOpen(output),
    hasChanged: (_, {error}: {error: unknown}) => hasChanged(error),
  },
  actions: {
    storeOrder: assign(({context}, {output}: {output: Order}) => ({
      order: output,
      firstState: context.order === undefined ? output.state : context.firstState,
      failure: undefined,
      refusals: 0,
    })),
    /** Why a payment did not begin counts until something has happened to the order. */
    storePoll: assign(({context}, {output}: {output: Order}) => ({
      order: output,
      failure: output.state === context.order?.state ? context.failure : undefined,
      refusals: 0,
    })),
    storeWay: assign((_, {payWay}: {payWay: PayWay}) => ({payWay, failure: undefined})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    clearFailure: assign({failure: undefined}),
    countRefusal: assign(({context}) => ({refusals: context.refusals + 1})),
    /** Port: opens an empty tab for the page of the payment, within the user's press. */
    reserveTab: () => unfilledAction('reserveTab'),
    /** Port: shows the page of the payment in the reserved tab; sends `payPage.blocked` where there is none. */
    showPayPage: (_, _page: {url: string; payWay: PayWay | undefined}) => unfilledAction('showPayPage'),
    /** Port: this tab waits for the payment, also when its page takes the tab. */
    rememberAwaited: () => unfilledAction('rememberAwaited'),
    /** Competes with other tabs for leading back, until the order is left; hears again who leads. */
    standForLead: sendTo('orderLead', {type: 'lead.stand'}),
    /** Port: this tab leads back, or was asked to stay: no other one leads as long as it is open. */
    keepLead: () => unfilledAction('keepLead'),
    /** Port: closes the reserved tab. */
    releaseTab: () => unfilledAction('releaseTab'),
    /** Port: credits came; requests refused for lack of them go on. */
    announceCredits: () => unfilledAction('announceCredits'),
    /** Port: replaces this page by the one whose credits ran out. */
    goBack: (_, _page: {path: string}) => unfilledAction('goBack'),
  },
})
