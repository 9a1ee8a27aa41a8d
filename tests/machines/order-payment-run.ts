import {Subject} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import {createOrderLead} from '#browser/order-lead.ts'
import type {Order, PayWay} from '#contract/orders.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import {orderLeadMachine} from '#machines/order-lead/order-lead.machine.ts'
import {orderPaymentMachine} from '#machines/order-payment/order-payment.machine.ts'
import type {ReturnStay} from '#machines/order-payment/order-payment.types.ts'
import type {SleepInput} from '#machines/lib/sleep-until.ts'
import {input, open} from './order-payment-fixtures.ts'

/** An order whose reads and payments the test gives, one after the other; the last one repeats. */
export function startPayment(
  reads: (Order | Error)[],
  payments: (Order | Error)[] = [open],
  returnTo?: string,
  {wasAwaited = false, locks}: {wasAwaited?: boolean; locks?: LockManager} = {},
) {
  const lead = createOrderLead(locks, 'foo')
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
        orderLead: orderLeadMachine.provide({
          actors: {leadership: fromEventObservable<LeadershipFact, {orderId: string}>(() => lead.facts$)},
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
        keepLead: lead.keep,
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
