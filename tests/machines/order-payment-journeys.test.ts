import {describe, expect, test} from 'vitest'
import type {Order, PayWay} from '#contract/orders.ts'
import {
  conflict,
  declined,
  expired,
  finished,
  foreign,
  foreignPending,
  open,
  paid,
  pending,
  processing,
} from './order-payment-fixtures.ts'
import {startPayment} from './order-payment-run.ts'

const waitingForNews = {waiting: {choice: 'made', page: 'elsewhere', news: 'resting'}}
const changing = {waiting: {choice: 'changing', page: 'elsewhere', news: 'resting'}}

describe('journeys of a payment', () => {
  test.each<[string, Order, PayWay, boolean]>([
    ['a page', foreignPending, 'Stripe', true],
    ['a page, of a price that is not told', {...foreignPending, price: null}, 'AliPay', true],
    ['a code', foreignPending, 'WechatPay', false],
    ['nothing', {...foreignPending, price: 0}, 'Stripe', false],
  ])('a tab is opened in the press where the way of payment shows a page: %s', async (_, order, payWay, opens) => {
    for (const begun of [order, {...order, pay_way: 'AliPay' as const, pay_url: 'https://foo.test/pay'}]) {
      const run = startPayment([begun], [new Error('foo')])
      await run.settle()
      run.actor.send({type: 'payment.change'})
      run.actor.send({type: 'payment.start', payWay})
      expect(run.calls).toEqual(['read', ...(opens ? ['reserve'] : []), `pay ${payWay}`])
    }
  })

  test('choose, pay in the other tab, and the credits come by themselves', async () => {
    const run = startPayment([pending, open, open, paid, finished])
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
    const run = startPayment([open])
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual(waitingForNews)
    expect(run.calls).toEqual(['read'])
  })

  test('reads that fail slow the polls down, and the first that works speeds them up', async () => {
    const run = startPayment([open, new Error('foo'), open])
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
    const run = startPayment([pending, finished], [conflict])
    await run.settle()
    run.actor.send({type: 'payment.start', payWay: 'Stripe'})
    await run.settle()
    expect([run.actor.getSnapshot().status, run.calls]).toEqual([
      'done',
      ['read', 'reserve', 'pay Stripe', 'release', 'read', 'credits'],
    ])
  })

  test('a bank that works for days is asked about every three minutes, and at once when the page is shown', async () => {
    const run = startPayment([processing, processing, processing, finished], [], '/flux')
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
    const run = startPayment([processing, declined])
    await run.settle()
    run.actor.send({type: 'payment.check'})
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual({choosing: 'timed'})
  })

  test('the page was left for one that a bank works on already: no page of it is shown', async () => {
    const run = startPayment([pending, processing], [conflict])
    await run.settle()
    run.actor.send({type: 'payment.start', payWay: 'Stripe'})
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls]).toEqual([
      {processing: 'resting'},
      ['read', 'reserve', 'pay Stripe', 'release', 'read'],
    ])
  })

  test('a declined payment leads back to the choice', async () => {
    const run = startPayment([open, declined])
    await run.settle()
    run.actor.send({type: 'payment.check'})
    await run.settle()
    expect([run.actor.getSnapshot().value, run.actor.getSnapshot().context.order?.state]).toEqual([
      {choosing: 'timed'},
      'Failed',
    ])
  })

  test('a payment of an expired order that arrives after all still counts', async () => {
    const run = startPayment([expired, finished])
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual({closed: 'resting'})
    run.actor.send({type: 'order.load'})
    await run.settle()
    expect(run.actor.getSnapshot().status).toBe('done')
  })

  test('paid, but its credits late: asked until they come, also after a read that failed', async () => {
    const run = startPayment([paid, new Error('foo'), paid, finished])
    await run.settle()
    for (const wait of [2_000, 5_000, 2_000]) {
      expect(run.actor.getSnapshot().matches({paid: 'resting'})).toBe(true)
      run.clock.increment(wait)
      await run.settle()
    }
    expect([run.actor.getSnapshot().value, run.calls]).toEqual(['finished', [...Array(4).fill('read'), 'credits']])
  })

  test('while another way is chosen the first page is still asked about, and a payment there ends the order', async () => {
    const run = startPayment([open, open, finished])
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
    const run = startPayment([open], [new Error('foo')])
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
    const run = startPayment([open, finished], [conflict])
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
    const run = startPayment([open, finished], [], '/flux')
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
    const before = startPayment([open], [], '/flux')
    await before.settle()
    expect(before.awaited).toEqual(['foo'])
    const run = startPayment([finished], [], '/flux', {wasAwaited})
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls, run.awaited]).toEqual([value, ['read', 'credits'], []])
  })

  test('a user who presses to stay stays', async () => {
    const run = startPayment([open, finished], [], '/flux')
    await run.settle()
    run.actor.send({type: 'payment.check'})
    await run.settle()
    run.presses.next({type: 'return.stay'})
    run.clock.increment(10_000)
    expect([run.actor.getSnapshot().status, run.calls]).toEqual(['done', ['read', 'read', 'credits']])
  })

  test.each([finished, foreign])('an order that was paid before its page opened stays: %o', async (order) => {
    const run = startPayment([order], [], '/flux')
    await run.settle()
    run.clock.increment(10_000)
    expect([run.actor.getSnapshot().status, run.calls]).toEqual(['done', ['read', 'credits']])
  })

  const ending: Order = {...pending, expired_at: '2026-11-24T10:00:00Z'}

  test('an order that expires while its page is open says so at its end, not before', async () => {
    const run = startPayment([ending, expired])
    await run.settle()
    expect([run.sleeps, run.calls]).toEqual([[Date.parse('2026-11-24T10:00:00Z')], ['read']])
    run.wake()
    await run.settle()
    expect([run.actor.getSnapshot().value, run.calls]).toEqual([{closed: 'resting'}, ['read', 'read']])
  })

  test('where the clock of the browser is ahead the server is asked once, not again and again', async () => {
    const run = startPayment([ending])
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
    const run = startPayment([pending])
    await run.settle()
    expect(run.sleeps).toEqual([Number.POSITIVE_INFINITY])
  })

  test('a payment that another tab began is found when the page is shown', async () => {
    const run = startPayment([pending, open])
    await run.settle()
    run.actor.send({type: 'page.shown'})
    await run.settle()
    expect(run.actor.getSnapshot().value).toEqual(waitingForNews)
  })
})
