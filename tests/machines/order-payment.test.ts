import {describe, expect, test} from 'vitest'
import {orderPaymentMachine, type OrderPaymentSnapshot} from '#machines/order-payment/order-payment.machine.ts'
import type {OrderPaymentEvent} from '#machines/order-payment/order-payment.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'
import {conflict, finished, input, open, orders, processing} from './order-payment-fixtures.ts'

const events = {
  'order.load': [{type: 'order.load'}],
  'payment.start': [
    {type: 'payment.start', payWay: 'Sandbox'},
    {type: 'payment.start', payWay: 'WechatPay'},
    {type: 'payment.start', payWay: 'AliPay'},
  ],
  'payment.check': [{type: 'payment.check'}],
  'payment.change': [{type: 'payment.change'}],
  'payment.keep': [{type: 'payment.keep'}],
  'payPage.blocked': [{type: 'payPage.blocked'}],
  'payPage.opened': [{type: 'payPage.opened'}],
  'leader.won': [{type: 'leader.won'}],
  'leader.lost': [{type: 'leader.lost'}],
  'return.stay': [{type: 'return.stay'}],
  'connection.restored': [{type: 'connection.restored'}],
  'page.shown': [{type: 'page.shown'}],
} satisfies EventFixtures<OrderPaymentEvent>

const logic = orderPaymentMachine.provide({
  actions: {
    reserveTab: () => {},
    showPayPage: () => {},
    rememberAwaited: () => {},
    keepLead: () => {},
    releaseTab: () => {},
    announceCredits: () => {},
    goBack: () => {},
  },
})

describe('the payment of an order', () => {
  const {coverage, edges} = describeRules(logic, {
    input,
    inputs: [{...input, returnTo: undefined}],
    user: [
      'order.load',
      'payment.start',
      'payment.check',
      'payment.change',
      'payment.keep',
      'payPage.opened',
      'return.stay',
    ],
    events: Object.values(events).flat(),
    endless: ['environmentChanges', 'orderLead', 'stayPresses', 'sleepUntil'],
    outputs: {
      readOrder: orders,
      pollOrder: orders,
      lookOrder: orders,
      pollBank: orders,
      pollCredits: orders,
      lookClosed: orders,
      startPayment: [open, processing, finished],
    },
    errors: [conflict, new Error('foo')],
    key: ({context: {order, firstState, returnTo, payWay, refusals, failure}}) => [
      firstState,
      returnTo,
      order?.state,
      order?.pay_url,
      order?.pay_ways,
      order?.processing_at,
      payWay,
      Math.min(refusals, 1),
      failure?.status,
      failure?.code,
    ],
  })
  const enters = (state: OrderPaymentSnapshot, nextState: OrderPaymentSnapshot, name: 'starting' | 'waiting') =>
    !state.matches(name) && nextState.matches(name)

  test('every transition is taken', () => expect(coverage.missing(logic)).toEqual([]))

  test('a payment begins by a press alone, in a way that the order offers', () => {
    const begun = edges.filter(({state, nextState}) => enters(state, nextState, 'starting'))
    expect([...new Set(begun.map(({event}) => JSON.stringify(event)))].sort()).toEqual([
      // a foreign order, which offers nothing by name, is not among those that can be paid here
      JSON.stringify({type: 'payment.start', payWay: 'Sandbox'}),
      JSON.stringify({type: 'payment.start', payWay: 'WechatPay'}),
    ])
  })

  test('nothing is polled but an open payment and one whose credits are on their way', () => {
    const polls = edges.filter(({event}) => event.type.startsWith('xstate.after.pollInterval'))
    expect(polls.length).toBeGreaterThan(0)
    expect(polls.filter(({state}) => !state.matches('waiting') && !state.matches('paid'))).toEqual([])
  })

  test('while a bank works on a payment no other way begins, and nothing closes but by news of it', () => {
    const left = edges.filter(({state, nextState}) => state.matches('processing') && !nextState.matches('processing'))
    expect([...new Set(left.map(({event}) => event.type))]).toEqual(['xstate.done.actor.pollBank'])
  })

  test('only an order that was unpaid when its page opened leads back, and only where there is a way back', () => {
    const returns = edges.filter(({state, nextState}) => !state.matches('returning') && nextState.matches('returning'))
    expect(returns.length).toBeGreaterThan(0)
    const found = returns.map(({nextState}) => nextState.context.firstState)
    const ways = returns.map(({nextState}) => nextState.context.returnTo)
    expect([[...new Set(found)].sort(), [...new Set(ways)]]).toEqual([['Failed', 'Pending'], ['/flux']])
  })

  test('a tab leads back unless another one does', () => {
    const edge = edges.filter(({state, nextState}) => !state.matches('returning') && nextState.matches('returning'))
    const reasons = edge.map(({event}) => event.type)
    expect([...new Set(reasons)].sort()).toEqual(['leader.won', 'xstate.after.leadDelay.orderPayment.standing'])
    const ends = edges.filter(({state, event}) => state.matches('standing') && event.type === 'leader.lost')
    expect(ends.length).toBeGreaterThan(0)
    expect(ends.filter(({nextState}) => !nextState.matches('finished'))).toEqual([])
  })

  test('an end is an end: a finished order never moves', () => {
    expect(edges.filter(({state}) => state.matches('finished'))).toEqual([])
  })
})
