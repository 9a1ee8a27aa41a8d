import {orderPaymentSetup} from './order-payment.setup.ts'

/** Events that ask for the order before its time. */
export const reasonsToAsk = {
  'payment.check': {target: 'asking'},
  'page.shown': {target: 'asking'},
  'connection.restored': {target: 'asking'},
} as const

/** Reads the order once: an answer is judged again, a failure waits for the next poll. */
export const poll = (id: string) =>
  orderPaymentSetup.createStateConfig({
    invoke: {
      id,
      src: 'readOrder',
      input: ({context: {orderId}}) => ({orderId}),
      onDone: {target: '#orderPayment.deciding', actions: [{type: 'storePoll', params: ({event}) => event}]},
      onError: {target: 'resting', actions: ['countRefusal']},
    },
    after: {callDeadline: {target: 'resting', actions: ['countRefusal']}},
  })

/** Begins a payment in a way that the order offers; only one with a page needs a tab. */
export const payable = orderPaymentSetup.createStateConfig({
  tags: ['payable'],
  on: {
    'payment.start': [
      {
        guard: {type: 'opensPage', params: ({event}) => event},
        target: '#orderPayment.starting',
        actions: ['reserveTab', {type: 'storeWay', params: ({event}) => event}],
      },
      {
        guard: {type: 'isOffered', params: ({event}) => event},
        target: '#orderPayment.starting',
        actions: [{type: 'storeWay', params: ({event}) => event}],
      },
    ],
  },
})
