import {describe, expect, test} from 'vitest'
import {Subject} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import type {Order, PayWay} from '#contract/orders.ts'
import {orderPaymentMachine, type OrderPaymentSnapshot} from '#machines/order-payment/order-payment.machine.ts'
import type {OrderPaymentEvent, ReturnStay} from '#machines/order-payment/order-payment.types.ts'
import type {SleepInput} from '#machines/lib/sleep-until.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const pending: Order = {id: 'foo', state: 'Pending', price: 9.9, pay_ways: ['Sandbox', 'Stripe', 'WechatPay']}
const open: Order = {...pending, pay_way: 'Sandbox', pay_url: 'https://foo.test/pay'}
const declined: Order = {...pending, state: 'Failed', pay_way: 'Sandbox'}
const processing: Order = {...pending, pay_way: 'Stripe', pay_ways: [], processing_at: '2026-11-24T10:00:00Z'}
const paid: Order = {...pending, state: 'Paid', pay_ways: []}
const finished: Order = {...paid, state: 'Finished'}
const expired: Order = {...paid, state: 'Expired'}
const foreignPending: Order = {id: 'foo', state: 'Pending', price: 9.9}
const foreign: Order = {id: 'foo', state: 'Paid'}
const conflict = Object.assign(new Error('foo'), {status: 409, code: 'conflict', detail: 'foo'})

const waitingForNews = {waiting: {choice: 'made', page: 'elsewhere', news: 'resting'}}
const changing = {waiting: {choice: 'changing', page: 'elsewhere', news: 'resting'}}

const environment = startEnvironment()
const input = {orderId: 'foo', returnTo: '/flux', wasAwaited: false, environment}
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
  'return.stay': [{type: 'return.stay'}],
  'connection.restored': [{type: 'connection.restored'}],
  'page.shown': [{type: 'page.shown'}],
} satisfies EventFixtures<OrderPaymentEvent>

const orders = [pending, open, declined, processing, paid, finished, expired, foreign]
const logic = orderPaymentMachine.provide({
  actions: {
    reserveTab: () => {},
    showPayPage: () => {},
    rememberAwaited: () => {},
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
    endless: ['environmentChanges', 'stayPresses', 'sleepUntil'],
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

  test('an end is an end: a finished order never moves', () => {
    expect(edges.filter(({state}) => state.matches('finished'))).toEqual([])
  })
})

/** An order whose reads and payments the test gives, one after the other; the last one repeats. */
function start(reads: (Order | Error)[], payments: (Order | Error)[] = [open], returnTo?: string, wasAwaited = false) {
  const awaited: string[] = []
  const calls: string[] = []
  const clock = new SimulatedClock()
  const presses = new Subject<ReturnStay>()
  const sleeps: number[] = []
  let wake = () => {}
  const answer = (answers: (Order | Error)[]) => {
    const next = answers.length > 1 ? answers.shift() : answers[0]
    return next === undefined || next instanceof Error
      ? Promise.reject(next ?? new Error('none left'))
      : Promise.resolve(next)
  }
  const actor = createActor(
    orderPaymentMachine.provide({
      actors: {
        readOrder: fromPromise<Order, {orderId: string}>(() => {
          calls.push('read')
          return answer(reads)
        }),
        startPayment: fromPromise<Order, {orderId: string; payWay: PayWay}>(({input: {payWay}}) => {
          calls.push(`pay ${payWay}`)
          return answer(payments)
        }),
        stayPresses: fromEventObservable<ReturnStay, undefined>(() => presses),
        sleepUntil: fromPromise<void, SleepInput>(({input: {at}}) => {
          sleeps.push(at)
          return new Promise((resolve) => {
            wake = resolve
          })
        }),
      },
      actions: {
        reserveTab: () => void calls.push('reserve'),
        showPayPage: (_, {url}) => void calls.push(`show ${url}`),
        rememberAwaited: () => void awaited.push('foo'),
        releaseTab: () => void calls.push('release'),
        announceCredits: () => void calls.push('credits'),
        goBack: (_, {path}) => void calls.push(`back ${path}`),
      },
    }),
    {input: {...input, returnTo, wasAwaited}, clock},
  ).start()
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {actor, clock, calls, awaited, presses, sleeps, wake: () => wake(), settle}
}

describe('journeys of a payment', () => {
  test.each<[string, Order, PayWay, boolean]>([
    ['a page', foreignPending, 'Stripe', true],
    ['a page, of a price that is not told', {...foreignPending, price: null}, 'AliPay', true],
    ['a code', foreignPending, 'WechatPay', false],
    ['nothing', {...foreignPending, price: 0}, 'Stripe', false],
  ])('a tab is opened in the press where the way of payment shows a page: %s', async (_, order, payWay, opens) => {
    for (const begun of [order, {...order, pay_way: 'AliPay' as const, pay_url: 'https://foo.test/pay'}]) {
      const run = start([begun], [new Error('foo')])
      await run.settle()
      run.actor.send({type: 'payment.change'})
      run.actor.send({type: 'payment.start', payWay})
      expect(run.calls).toEqual(['read', ...(opens ? ['reserve'] : []), `pay ${payWay}`])
    }
  })

  test('choose, pay in the other tab, and the credits come by themselves', async () => {
    const run = start([pending, open, open, paid, finished])
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual({choosing: 'timed'})
    run.actor.send({type: 'payment.start', payWay: 'Sandbox'})
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual(waitingForNews)
    for (let poll = 0; poll < 4; poll += 1) {
      run.clock.increment(2_000)
      await run.settle()
    }
    expect(run.actor.getSnapshot().status).toBe('done')
    expect(run.calls).toEqual([
      'read',
      'reserve',
      'pay Sandbox',
      'show https://foo.test/pay',
      ...['read', 'read', 'read', 'read'],
      'credits',
    ])
  })

  test('a reload finds the open payment and goes on waiting without a press', async () => {
    const run = start([open])
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual(waitingForNews)
    expect(run.calls).toEqual(['read'])
  })

  test('reads that fail slow the polls down, and the first that works speeds them up', async () => {
    const run = start([open, new Error('foo'), open])
    await run.settle()
    run.clock.increment(2_000)
    await run.settle()
    run.clock.increment(2_000)
    await run.settle()
    expect(run.calls).toEqual(['read', 'read'])
    run.clock.increment(3_000)
    await run.settle()
    run.clock.increment(2_000)
    await run.settle()
    expect(run.calls).toEqual(['read', 'read', 'read', 'read'])
  })

  test('the other tab paid or let expire meanwhile: the reserved tab closes and the order is read', async () => {
    const run = start([pending, finished], [conflict])
    await run.settle()
    run.actor.send({type: 'payment.start', payWay: 'Stripe'})
    await run.settle()
    expect([run.actor.getSnapshot().status, run.calls]).toEqual([
      'done',
      ['read', 'reserve', 'pay Stripe', 'release', 'read', 'credits'],
    ])
  })

  test('a bank that works for days is asked about every three minutes, and at once when the page is shown', async () => {
    const run = start([processing, processing, processing, finished], [], '/flux')
    await run.settle()
    run.clock.increment(179_999)
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls]).toEqual([{processing: 'resting'}, ['read']])
    run.clock.increment(1)
    await run.settle()
    run.actor.send({type: 'page.shown'})
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls.length]).toEqual([{processing: 'resting'}, 3])
    run.clock.increment(180_000)
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls.at(-1)]).toEqual(['returning', 'credits'])
  })

  test('a bank that declines leads back to the choice', async () => {
    const run = start([processing, declined])
    await run.settle()
    run.actor.send({type: 'payment.check'})
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual({choosing: 'timed'})
  })

  test('the page was left for one that a bank works on already: no page of it is shown', async () => {
    const run = start([pending, processing], [conflict])
    await run.settle()
    run.actor.send({type: 'payment.start', payWay: 'Stripe'})
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls]).toEqual([
      {processing: 'resting'},
      ['read', 'reserve', 'pay Stripe', 'release', 'read'],
    ])
  })

  test('a declined payment leads back to the choice', async () => {
    const run = start([open, declined])
    await run.settle()
    run.actor.send({type: 'payment.check'})
    await run.settle()
    expect([run.actor.getSnapshot().value, run.actor.getSnapshot().context.order?.state]).toEqual([
      {choosing: 'timed'},
      'Failed',
    ])
  })

  test('a payment of an expired order that arrives after all still counts', async () => {
    const run = start([expired, finished])
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual({closed: 'resting'})
    run.actor.send({type: 'order.load'})
    await run.settle()
    expect(run.actor.getSnapshot().status).toBe('done')
  })

  test('paid, but its credits late: asked until they come, also after a read that failed', async () => {
    const run = start([paid, new Error('foo'), paid, finished])
    await run.settle()
    for (const wait of [2_000, 5_000, 2_000]) {
      expect(run.actor.getSnapshot().matches({paid: 'resting'})).toBe(true)
      run.clock.increment(wait)
      await run.settle()
    }
    expect([run.actor.getSnapshot().value, run.calls]).toEqual(['finished', [...Array(4).fill('read'), 'credits']])
  })

  test('while another way is chosen the first page is still asked about, and a payment there ends the order', async () => {
    const run = start([open, open, finished])
    await run.settle()
    run.actor.send({type: 'payment.change'})
    run.clock.increment(2_000)
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual(changing)
    run.clock.increment(2_000)
    await run.settle()
    expect([run.actor.getSnapshot().status, run.calls]).toEqual(['done', ['read', 'read', 'read', 'credits']])
  })

  test('another way that cannot begin leaves the first payment open, says why, and goes on asking', async () => {
    const run = start([open], [new Error('foo')])
    await run.settle()
    run.actor.send({type: 'payment.change'})
    run.actor.send({type: 'payment.start', payWay: 'Stripe'})
    await run.settle()
    run.clock.increment(2_000)
    await run.settle()
    const {value, context} = run.actor.getSnapshot()
    expect([value, context.failure?.code]).toEqual([changing, 'unknown'])
    expect(run.calls).toEqual(['read', 'reserve', 'pay Stripe', 'release', 'read'])
    run.actor.send({type: 'payment.keep'})
    expect(run.actor.getSnapshot().context.failure).toBeUndefined()
  })

  test('the first page was paid while the other way began: the order is read and nothing is paid again', async () => {
    const run = start([open, finished], [conflict])
    await run.settle()
    run.actor.send({type: 'payment.change'})
    run.actor.send({type: 'payment.start', payWay: 'Stripe'})
    await run.settle()
    expect([run.actor.getSnapshot().status, run.calls]).toEqual([
      'done',
      ['read', 'reserve', 'pay Stripe', 'release', 'read', 'credits'],
    ])
  })

  test('paid while the page was open: it leads back after two seconds', async () => {
    const run = start([open, finished], [], '/flux')
    await run.settle()
    run.actor.send({type: 'payment.check'})
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls]).toEqual(['returning', ['read', 'read', 'credits']])
    run.clock.increment(1_999)
    expect(run.calls).not.toContain('back /flux')
    run.clock.increment(1)
    expect([run.actor.getSnapshot().status, run.calls]).toEqual(['done', ['read', 'read', 'credits', 'back /flux']])
  })

  test.each([
    ['this tab was left for the page of the payment: it leads back', true, 'returning'],
    ['another page saw the payment: nothing moves by itself', false, 'finished'],
  ])('paid before this page was there, and %s', async (_, wasAwaited, value) => {
    const before = start([open], [], '/flux')
    await before.settle()
    expect(before.awaited).toEqual(['foo'])
    const run = start([finished], [], '/flux', wasAwaited)
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls, run.awaited]).toEqual([value, ['read', 'credits'], []])
  })

  test('who presses to stay stays', async () => {
    const run = start([open, finished], [], '/flux')
    await run.settle()
    run.actor.send({type: 'payment.check'})
    await run.settle()
    run.presses.next({type: 'return.stay'})
    run.clock.increment(10_000)
    expect([run.actor.getSnapshot().status, run.calls]).toEqual(['done', ['read', 'read', 'credits']])
  })

  test.each([finished, foreign])('an order that was paid before its page opened stays: %o', async (order) => {
    const run = start([order], [], '/flux')
    await run.settle()
    run.clock.increment(10_000)
    expect([run.actor.getSnapshot().status, run.calls]).toEqual(['done', ['read', 'credits']])
  })

  const ending: Order = {...pending, expired_at: '2026-11-24T10:00:00Z'}

  test('an order that expires while its page is open says so at its end, not before', async () => {
    const run = start([ending, expired])
    await run.settle()
    expect([run.sleeps, run.calls]).toEqual([[Date.parse('2026-11-24T10:00:00Z')], ['read']])
    run.wake()
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls]).toEqual([{closed: 'resting'}, ['read', 'read']])
  })

  test('where the clock of the browser is ahead the server is asked once, not again and again', async () => {
    const run = start([ending])
    await run.settle()
    run.wake()
    await run.settle()
    run.clock.increment(600_000)
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls]).toEqual([{choosing: 'resting'}, ['read', 'read']])
    run.actor.send({type: 'page.shown'})
    await run.settle()
    expect(run.calls).toEqual(['read', 'read', 'read'])
  })

  test('an order without an end of its own waits for ever', async () => {
    const run = start([pending])
    await run.settle()
    expect(run.sleeps).toEqual([Number.POSITIVE_INFINITY])
  })

  test('a payment that another tab began is found when the page is shown', async () => {
    const run = start([pending, open])
    await run.settle()
    run.actor.send({type: 'page.shown'})
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual(waitingForNews)
  })
})
