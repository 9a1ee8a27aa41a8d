import {assign, setup, type SnapshotFrom} from 'xstate'
import type {Order, PayWay} from '#contract/orders.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {isClosed, isFinished, isPaid, isPayable, isPaymentOpen, payWaysOf} from '#domain/order-state.ts'
import {
  environmentChanges,
  environmentInvoke,
  type EnvironmentActor,
} from '#machines/environment/environment.machine.ts'
import {promisePort, streamPort, unfilledAction} from '#machines/lib/ports.ts'
import {sleepUntilPort} from '#machines/lib/sleep-until.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** `returnTo`: the page whose credits ran out, for which the order is. */
export type OrderPaymentInput = {orderId: string; returnTo: string | undefined; environment: EnvironmentActor}

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
  | ReturnStay
  | {type: 'connection.restored'}
  | {type: 'page.shown'}

/** `failure`: of the first read, or of the last payment that did not begin. `refusals`: polls in a row that failed. */
export type OrderPaymentContext = OrderPaymentInput & {
  order?: Order
  /** As the first read found it. */
  firstState?: Order['state']
  payWay?: PayWay
  failure?: Failure | undefined
  refusals: number
}

/** When an unpaid order expires; a back end that does not say so lets it wait. */
const endOf = (order: Order | undefined): number => {
  const at = Date.parse(order?.expired_at ?? '')
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : at
}

const hasChanged = (error: unknown) => toFailure(error).status === 409

/**
 * Paying one order (spec §2, contract/platform §3): choose a way, wait for the money, end as finished or closed. Owned
 * by the page of the order, ends with it; the order itself lives on the server, so that a reload or a closed pay tab
 * finds the open payment again (`pay_url`) and goes on waiting.
 *
 * Polls from the start of a payment until its end: every 2 s, every 5 s while reads fail, and at once when the page is
 * shown or online again. Also while another way is chosen (`waiting.choice.changing`): the page of the first can be paid
 * until the server has closed it. Leaving `waiting` stops it.
 *
 * An order that became paid while its page was open leads back to `returnTo` by itself (`returning`); one that was paid
 * before only offers the way.
 */
export const orderPaymentMachine = setup({
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
  },
  delays: {
    callDeadline: 20_000,
    returnDelay: 2_000,
    pollInterval: ({context}) => (context.refusals === 0 ? 2_000 : 5_000),
  },
  guards: {
    isFinished: ({context}) => isFinished(context.order),
    leadsBack: ({context: {order, firstState, returnTo}}) =>
      returnTo !== undefined && isFinished(order) && (firstState === 'Pending' || firstState === 'Failed'),
    isPaid: ({context}) => isPaid(context.order),
    isClosed: ({context}) => isClosed(context.order),
    isPaymentOpen: ({context}) => isPaymentOpen(context.order),
    isOffered: ({context}, {payWay}: {payWay: PayWay}) => payWaysOf(context.order).includes(payWay),
    hasPayPage: ({context}) => context.order?.pay_url != null,
    staysUnpaid: (_, {output}: {output: Order}) => isPayable(output) && !isPaymentOpen(output),
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
    /** Port: shows the page of the payment in the reserved tab. */
    showPayPage: (_, _page: {url: string; payWay: PayWay | undefined}) => unfilledAction('showPayPage'),
    /** Port: closes the reserved tab. */
    releaseTab: () => unfilledAction('releaseTab'),
    /** Port: credits came; requests refused for lack of them go on. */
    announceCredits: () => unfilledAction('announceCredits'),
    /** Port: replaces this page by the one whose credits ran out. */
    goBack: (_, _page: {path: string}) => unfilledAction('goBack'),
  },
}).createMachine({
  id: 'orderPayment',
  context: ({input}) => ({...input, refusals: 0}),
  invoke: environmentInvoke,
  initial: 'loading',
  states: {
    loading: {
      tags: ['busy'],
      invoke: {
        id: 'readOrder',
        src: 'readOrder',
        input: ({context: {orderId}}) => ({orderId}),
        onDone: {target: 'deciding', actions: [{type: 'storeOrder', params: ({event}) => event}]},
        onError: {target: 'unavailable', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'unavailable', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    unavailable: {
      on: {
        'order.load': {target: 'loading', actions: ['clearFailure']},
        'connection.restored': {target: 'loading', actions: ['clearFailure']},
      },
    },
    deciding: {
      always: [
        {guard: 'leadsBack', target: 'returning', actions: ['announceCredits']},
        {guard: 'isFinished', target: 'finished', actions: ['announceCredits']},
        {guard: 'isPaid', target: 'paid'},
        {guard: 'isClosed', target: 'closed'},
        {guard: 'isPaymentOpen', target: 'waiting'},
        {target: 'choosing'},
      ],
    },
    choosing: {
      description: 'No page of a payment is open. Looked at again at the end of its time and when the page is shown.',
      tags: ['payable'],
      initial: 'timed',
      on: {
        'page.shown': {target: '.asking'},
        'connection.restored': {target: '.asking'},
        'payment.start': {
          guard: {type: 'isOffered', params: ({event}) => event},
          target: 'starting',
          actions: ['reserveTab', {type: 'storeWay', params: ({event}) => event}],
        },
      },
      states: {
        timed: {
          invoke: {
            id: 'sleepUntil',
            src: 'sleepUntil',
            input: ({context: {order}}) => ({at: endOf(order)}),
            onDone: {target: 'asking'},
            onError: {target: 'resting'},
          },
        },
        asking: {
          invoke: {
            id: 'lookOrder',
            src: 'readOrder',
            input: ({context: {orderId}}) => ({orderId}),
            onDone: [
              {
                guard: {type: 'staysUnpaid', params: ({event}) => event},
                target: 'resting',
                actions: [{type: 'storePoll', params: ({event}) => event}],
              },
              {target: '#orderPayment.deciding', actions: [{type: 'storePoll', params: ({event}) => event}]},
            ],
            // the next press says what is wrong
            onError: {target: 'resting'},
          },
          after: {callDeadline: {target: 'resting'}},
        },
        resting: {
          description: 'The clock of the browser is ahead of the server, or a look failed: no timer of its own.',
        },
      },
    },
    starting: {
      tags: ['busy'],
      invoke: {
        id: 'startPayment',
        src: 'startPayment',
        // as: the event that leads here has stored the way
        input: ({context: {orderId, payWay}}) => ({orderId, payWay: payWay as PayWay}),
        onDone: {
          target: 'started',
          actions: [{type: 'storeOrder', params: ({event}) => event}],
        },
        onError: [
          {guard: {type: 'hasChanged', params: ({event}) => event}, target: 'loading', actions: ['releaseTab']},
          {target: 'refused', actions: ['releaseTab', {type: 'storeFailure', params: ({event}) => event}]},
        ],
      },
      after: {
        callDeadline: {target: 'refused', actions: ['releaseTab', {type: 'storeFailure', params: timeout}]},
      },
    },
    refused: {
      description: 'The payment did not begin. The one that was open before may still be.',
      always: [{guard: 'isPaymentOpen', target: 'waiting.choice.changing'}, {target: 'choosing'}],
    },
    started: {
      always: [
        {
          guard: 'hasPayPage',
          target: 'deciding',
          actions: [
            {
              type: 'showPayPage',
              params: ({context: {order, payWay}}) => ({url: order?.pay_url ?? '', payWay}),
            },
          ],
        },
        // a free order has no page
        {target: 'deciding', actions: ['releaseTab']},
      ],
    },
    waiting: {
      description: 'The payment is open on another page. Ends with the order, whatever becomes of that page.',
      type: 'parallel',
      states: {
        choice: {
          initial: 'made',
          states: {
            made: {
              on: {'payment.change': {target: 'changing', actions: ['clearFailure']}},
            },
            changing: {
              tags: ['payable'],
              on: {
                'payment.keep': {target: 'made', actions: ['clearFailure']},
                'payment.start': {
                  guard: {type: 'isOffered', params: ({event}) => event},
                  target: '#orderPayment.starting',
                  actions: ['reserveTab', {type: 'storeWay', params: ({event}) => event}],
                },
              },
            },
          },
        },
        news: {
          initial: 'resting',
          states: {
            resting: {
              after: {pollInterval: {target: 'asking'}},
              on: {
                'payment.check': {target: 'asking'},
                'page.shown': {target: 'asking'},
                'connection.restored': {target: 'asking'},
              },
            },
            asking: {
              invoke: {
                id: 'pollOrder',
                src: 'readOrder',
                input: ({context: {orderId}}) => ({orderId}),
                onDone: [
                  {
                    guard: {type: 'staysOpen', params: ({event}) => event},
                    target: 'resting',
                    actions: [{type: 'storePoll', params: ({event}) => event}],
                  },
                  {
                    target: '#orderPayment.deciding',
                    actions: [{type: 'storePoll', params: ({event}) => event}],
                  },
                ],
                onError: {target: 'resting', actions: ['countRefusal']},
              },
              after: {callDeadline: {target: 'resting', actions: ['countRefusal']}},
            },
          },
        },
      },
    },
    paid: {
      description: 'The money is there, its credits are not yet.',
      after: {pollInterval: {target: 'loading'}},
      on: {'payment.check': {target: 'loading'}},
    },
    closed: {
      description: 'Expired, or refunded. A payment that arrives after all still finishes an expired order.',
      on: {'order.load': {target: 'loading'}},
    },
    returning: {
      description: 'Paid before the eyes of the user, who can stay instead of being led back.',
      invoke: {id: 'stayPresses', src: 'stayPresses', onDone: {}, onError: {}},
      after: {
        returnDelay: {
          target: 'finished',
          // as: `leadsBack` guards the way here
          actions: [{type: 'goBack', params: ({context}) => ({path: context.returnTo as string})}],
        },
      },
      on: {'return.stay': {target: 'finished'}},
    },
    finished: {type: 'final'},
  },
})

export type OrderPaymentSnapshot = SnapshotFrom<typeof orderPaymentMachine>
