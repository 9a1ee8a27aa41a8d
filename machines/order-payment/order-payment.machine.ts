import type {SnapshotFrom} from 'xstate'
import type {PayWay} from '#contract/orders.ts'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {payable, poll, reasonsToAsk} from './order-payment.states.ts'
import {endOf, orderPaymentSetup} from './order-payment.setup.ts'

/**
 * Paying one order (spec §2, contract/platform §3): choose a way, wait for the money, end as finished or closed. Owned
 * by the page of the order, ends with it; the order itself lives on the server, so that a reload or a closed pay tab
 * finds the open payment again (`pay_url`) and goes on waiting.
 *
 * Polls from the start of a payment until its end: every 2 s, every 5 s while reads fail, and at once when the page is
 * shown or online again. Also while another way is chosen (`waiting.choice.changing`): the page of the first can be
 * paid until the server has closed it. Leaving `waiting` stops it. A payment that the payer's bank works on for days is
 * asked about every three minutes (`processing`).
 *
 * An order that became paid while its page was open, or had been left for the page of the payment in the same tab,
 * leads back to `returnTo` by itself (`returning`); one that was paid before only offers the way. Of several tabs with
 * the order one leads (docs/decisions/0099): that which has a way back and has waited longest, and is still open.
 */
export const orderPaymentMachine = orderPaymentSetup.createMachine({
  id: 'orderPayment',
  context: ({input}) => ({...input, refusals: 0}),
  invoke: [
    environmentInvoke,
    {
      id: 'orderLead',
      src: 'orderLead',
      input: ({context: {orderId}, self}) => ({orderId, parentRef: self}),
      // this tab leads after `leadDelay`
      onError: {},
    },
  ],
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
        {guard: 'leadsBack', target: 'standing', actions: ['announceCredits']},
        {guard: 'isFinished', target: 'finished', actions: ['announceCredits']},
        {guard: 'isPaid', target: 'paid'},
        {guard: 'isClosed', target: 'closed'},
        {guard: 'isProcessing', target: 'processing'},
        {guard: 'isPaymentOpen', target: 'waiting'},
        {target: 'choosing'},
      ],
    },
    choosing: {
      description: 'No page of a payment is open. Looked at again at the end of its time and when the page is shown.',
      tags: payable.tags,
      initial: 'timed',
      on: {
        ...payable.on,
        'page.shown': {target: '.asking'},
        'connection.restored': {target: '.asking'},
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
      entry: [
        'rememberAwaited',
        orderPaymentSetup.enqueueActions(({enqueue, check}) => {
          // a tab that leads nowhere would keep the lead from one that does
          if (check('hasWayBack')) enqueue('standForLead')
        }),
      ],
      type: 'parallel',
      states: {
        choice: {
          initial: 'made',
          states: {
            made: {
              on: {'payment.change': {target: 'changing', actions: ['clearFailure']}},
            },
            changing: {
              tags: payable.tags,
              on: {
                ...payable.on,
                'payment.keep': {target: 'made', actions: ['clearFailure']},
              },
            },
          },
        },
        page: {
          description: 'Whether the browser let a tab open for the page of the payment.',
          initial: 'elsewhere',
          states: {
            elsewhere: {on: {'payPage.blocked': {target: 'blocked'}}},
            blocked: {on: {'payPage.opened': {target: 'elsewhere'}}},
          },
        },
        news: {
          initial: 'resting',
          states: {
            resting: {
              after: {pollInterval: {target: 'asking'}},
              on: reasonsToAsk,
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
    processing: {
      description: 'The payer has done everything, their bank has not. No other way can be begun, no time runs out.',
      initial: 'resting',
      states: {
        resting: {
          after: {processingInterval: {target: 'asking'}},
          on: reasonsToAsk,
        },
        asking: {...poll('pollBank'), tags: ['busy']},
      },
    },
    paid: {
      description: 'The money is there, its credits are not yet.',
      initial: 'resting',
      states: {
        resting: {
          after: {pollInterval: {target: 'asking'}},
          on: reasonsToAsk,
        },
        asking: poll('pollCredits'),
      },
    },
    closed: {
      description: 'Expired, or refunded. A payment that arrives after all still finishes an expired order.',
      initial: 'resting',
      states: {
        resting: {
          on: {
            'order.load': {target: 'asking', actions: ['clearFailure']},
            'page.shown': {target: 'asking', actions: ['clearFailure']},
            'connection.restored': {target: 'asking', actions: ['clearFailure']},
          },
        },
        asking: {
          tags: ['busy'],
          invoke: {
            id: 'lookClosed',
            src: 'readOrder',
            input: ({context: {orderId}}) => ({orderId}),
            onDone: {
              target: '#orderPayment.deciding',
              actions: [{type: 'storeOrder', params: ({event}) => event}],
            },
            onError: {target: 'resting', actions: [{type: 'storeFailure', params: ({event}) => event}]},
          },
          after: {callDeadline: {target: 'resting', actions: [{type: 'storeFailure', params: timeout}]}},
        },
      },
    },
    standing: {
      description: 'Paid before the eyes of the user. Another tab may be the one that leads back.',
      entry: ['standForLead'],
      on: {'leader.won': {target: 'returning'}, 'leader.lost': {target: 'finished'}},
      after: {leadDelay: {target: 'returning'}},
    },
    returning: {
      description: 'About to lead back; the user can stay instead.',
      entry: ['keepLead'],
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
