import type {Order, PayWay} from '#contract/orders.ts'
import type {Failure} from '#domain/failure.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'

/**
 * `returnTo`: the page whose credits ran out, for which the order is. `wasAwaited`: this tab waited for the payment
 * before, and was left for its page.
 */
export type OrderPaymentInput = {
  orderId: string
  returnTo: string | undefined
  wasAwaited: boolean
  environment: EnvironmentActor
}

/** The user stays on the page of the paid order. */
export type ReturnStay = {type: 'return.stay'}

export type OrderPaymentEvent =
  /** Reads the order again, after a failure or to see whether a payment came after all. */
  | {type: 'order.load'}
  /** Begins a payment. Sent within a press: the browser lets only a press open a tab. */
  | {type: 'payment.start'; payWay: PayWay}
  /** The user says that they have paid: asked at once instead of at the next poll. */
  | {type: 'payment.check'}
  /** Another way of payment; the page of the open one can still be paid meanwhile. */
  | {type: 'payment.change'}
  /** Back to the open payment after all. */
  | {type: 'payment.keep'}
  /** The browser let no tab open for the page of the payment. */
  | {type: 'payPage.blocked'}
  /** The user has opened it by its link. */
  | {type: 'payPage.opened'}
  | ReturnStay
  | LeadershipFact
  | {type: 'connection.restored'}
  | {type: 'page.shown'}

/**
 * `failure`: of the first read, of the last look at a closed order, or of the last payment that did not begin.
 * `refusals`: polls in a row that failed.
 */
export type OrderPaymentContext = OrderPaymentInput & {
  order?: Order
  /** As the first read found it. */
  firstState?: Order['state']
  payWay?: PayWay
  failure?: Failure | undefined
  refusals: number
}
