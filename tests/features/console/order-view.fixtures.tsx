import {useSelector} from '@xstate/react'
import {NEVER, of} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, waitFor, type ActorRefFrom} from 'xstate'
import type {Order, PayWay} from '#contract/orders.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import type {PriceCurrency} from '#features/console/price-text.tsx'
import {OrderView} from '#features/console/order-view.tsx'
import {orderLeadMachine} from '#machines/order-lead/order-lead.machine.ts'
import {orderPaymentMachine} from '#machines/order-payment/order-payment.machine.ts'
import type {ReturnStay} from '#machines/order-payment/order-payment.types.ts'
import type {SleepInput} from '#machines/lib/sleep-until.ts'
import {startEnvironment} from '../../machines/environment-fixture.ts'
import {renderView} from '../shell/render.tsx'
import {stopAfterTest} from '#tests/stop-after-test.ts'

export const pending: Order = {id: 'foobar', state: 'Pending', price: 9.9, amount: 100, pay_ways: ['Sandbox', 'Stripe']}
export const application = {
  id: 'baz',
  scope: 'Individual' as const,
  service_id: 'bar',
  service: {id: 'bar', title: 'Suno'},
}
export const open: Order = {...pending, pay_way: 'Stripe', pay_url: 'https://pay.test/foo'}
export const dollars: PriceCurrency = {currency: 'usd', rate: 1}

/** How orders are shown. `ahead`: milliseconds by which the server's clock is before the browser's. */
export const page = {money: dollars, ahead: 0}
export const resetPage = () => void Object.assign(page, {money: dollars, ahead: 0})

/** The page of an order whose reads answer one after the other; the last one repeats. */
export async function showOrder(...reads: (Order | Error)[]) {
  return showOrderOf(undefined, ...reads)
}

export async function showOrderOf(returnTo: string | undefined, ...reads: (Order | Error)[]) {
  const left = [...reads]
  const actor = createActor(
    orderPaymentMachine.provide({
      actors: {
        readOrder: fromPromise<Order, {orderId: string}>(async () => {
          const answer = left.length > 1 ? left.shift() : left[0]
          if (answer === undefined || answer instanceof Error) throw answer ?? new Error('none left')
          return answer
        }),
        startPayment: fromPromise<Order, {orderId: string; payWay: PayWay}>(() => new Promise(() => {})),
        sleepUntil: fromPromise<void, SleepInput>(() => new Promise(() => {})),
        stayPresses: fromEventObservable<ReturnStay, undefined>(() => NEVER),
        orderLead: orderLeadMachine.provide({
          actors: {leadership: fromEventObservable<LeadershipFact, {orderId: string}>(() => of({type: 'leader.won'}))},
        }),
      },
      actions: {
        reserveTab: () => {},
        showPayPage: () => {},
        rememberAwaited: () => {},
        keepLead: () => {},
        releaseTab: () => {},
        announceCredits: () => {},
        goBack: () => {},
      },
    }),
    {input: {orderId: 'foobar', returnTo, wasAwaited: false, environment: startEnvironment()}},
  ).start()
  stopAfterTest(actor)
  await waitFor(actor, (snapshot) => !snapshot.hasTag('busy'))
  await renderView(<OrderPage actor={actor} />)
  return actor
}

function OrderPage({actor}: {actor: ActorRefFrom<typeof orderPaymentMachine>}) {
  const snapshot = useSelector(actor, (present) => present)
  const {order} = snapshot.context
  if (order === undefined) throw new Error('no order was read')
  return (
    <OrderView
      snapshot={snapshot}
      send={actor.send}
      order={order}
      now={() => Date.now() + page.ahead}
      money={page.money}
      missingRate={undefined}
      returnName="Foo"
      next={<a href="/next">next</a>}
    />
  )
}
