import {Link, useNavigate, useParams} from '@tanstack/react-router'
import {useActor} from '@xstate/react'
import {useEffect, useState} from 'react'
import {Observable} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import {awaitOrder, forgetAwaited, isAwaited} from '#browser/awaited-order.ts'
import {isFirstAnnouncement} from '#browser/announced-orders.ts'
import {createOrderLead} from '#browser/order-lead.ts'
import {createOrdersApi} from '#api/orders.ts'
import type {Order, PayWay} from '#contract/orders.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import {ConsolePage} from '#features/console/console-page.tsx'
import {LoadProblem} from '#features/console/load-problem.tsx'
import {OrderView} from '#features/console/order-view.tsx'
import {orderLeadMachine} from '#machines/order-lead/order-lead.machine.ts'
import {orderPaymentMachine} from '#machines/order-payment/order-payment.machine.ts'
import type {ReturnStay} from '#machines/order-payment/order-payment.types.ts'
import {createSleepUntil} from '#machines/lib/sleep-until.ts'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {actorOf, useAppActor, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {NextLinks} from './order-links.tsx'
import {createServerClock, observed, type ServerClock} from '../logic/server-clock.ts'
import {createPayTab} from './pay-tab.ts'
import {useMissingRate, usePriceCurrency} from './use-price-currency.ts'
import {returnName, useErrand} from './use-errand.ts'

/** Seconds for which a finished order may choose the application: afterwards the user may have chosen one. */
const newsTime = 60 * 60

/** `/console/orders/{id}`: another order is another page. */
export function OrderRoute() {
  const {orderId} = useParams({from: '/shell/console/orders/$orderId'})
  return <OrderPage key={orderId} orderId={orderId} />
}

function OrderPage({orderId}: {orderId: string}) {
  const text = useText()
  const money = usePriceCurrency()
  const missingRate = useMissingRate()
  const errand = useErrand()
  const returnTo = errand.redirect
  const [clock] = useState(() => createServerClock(Date.now))
  const logic = usePaymentLogic(clock, {orderId, returnTo})
  const environment = useAppActor('environment')
  const [wasAwaited] = useState(() => isAwaited(orderId))
  const [snapshot, send] = useActor(logic, {input: {orderId, returnTo, wasAwaited, environment}})
  const {order, failure} = snapshot.context
  return (
    <ConsolePage title={text('index.order')} back={<Link to="/console/orders">{text('index.orders')}</Link>}>
      {order !== undefined ? (
        <OrderView
          snapshot={snapshot}
          send={send}
          order={order}
          now={() => clock.now() * 1_000}
          money={money}
          missingRate={missingRate}
          returnName={returnTo === undefined ? undefined : returnName(returnTo)}
          next={<NextLinks order={order} errand={errand} />}
        />
      ) : failure !== undefined && snapshot.matches('unavailable') ? (
        <LoadProblem failure={failure} missing="order.notFound" onRetry={() => send({type: 'order.load'})} />
      ) : (
        <Skeleton blockSize={220} radius="var(--r-lg)" />
      )}
    </ConsolePage>
  )
}

const escapePresses = () =>
  new Observable<ReturnStay>((subscriber) => {
    const onKey = ({key}: KeyboardEvent) => {
      if (key === 'Escape') subscriber.next({type: 'return.stay'})
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })

/** Fills the ports of a payment: the orders API, the tab of the payment, and the rest of the page. */
function usePaymentLogic(clock: ServerClock, {orderId, returnTo}: {orderId: string; returnTo: string | undefined}) {
  const root = useRoot()
  const {services, capabilities} = useAppInfo()
  const navigate = useNavigate()
  const [tab] = useState(createPayTab)
  // the page was left before the payment of its tab began
  useEffect(() => tab.release, [tab])
  const [logic] = useState(() => {
    const orders = services.client((deps) => createOrdersApi({...deps, fetch: observed(deps.fetch, clock)}))
    // browsers on plain http have no locks, whatever the DOM types promise
    const lead = createOrderLead(navigator.locks, orderId)
    return orderPaymentMachine.provide({
      actors: {
        readOrder: fromPromise<Order, {orderId: string}>(({input, signal}) => orders.refresh(input.orderId, signal)),
        startPayment: fromPromise<Order, {orderId: string; payWay: PayWay}>(({input, signal}) =>
          orders.pay(
            input.orderId,
            {
              pay_way: input.payWay,
              ...(capabilities.includes('orders') && returnTo !== undefined && {redirect: returnTo}),
            },
            signal,
          ),
        ),
        sleepUntil: createSleepUntil({
          now: Date.now,
          setTimeout: (callback, milliseconds) => window.setTimeout(callback, milliseconds),
          clearTimeout: (handle) => window.clearTimeout(handle),
        }),
        orderLead: orderLeadMachine.provide({
          actors: {leadership: fromEventObservable<LeadershipFact, {orderId: string}>(() => lead.facts$)},
        }),
        stayPresses: fromEventObservable<ReturnStay, undefined>(escapePresses),
      },
      actions: {
        reserveTab: tab.reserve,
        showPayPage: ({self}, page) => {
          if (!tab.show(page)) self.send({type: 'payPage.blocked'})
        },
        rememberAwaited: ({context}) => awaitOrder(context.orderId),
        keepLead: lead.keep,
        releaseTab: tab.release,
        goBack: (_, {path}) => void navigate({href: path, replace: true}),
        announceCredits: ({context: {orderId, order}}) => {
          forgetAwaited(orderId)
          const at = Math.floor(Date.parse(order?.finished_at ?? order?.updated_at ?? order?.created_at ?? '') / 1_000)
          const applicationId = order?.application_id ?? order?.application_ids?.[0]
          const isNews = clock.now() - at < newsTime
          if (applicationId == null || !isNews || !isFirstAnnouncement(order?.id ?? '')) return
          actorOf(root, 'session')?.send({type: 'credits.bought', applicationId, at})
        },
      },
    })
  })
  return logic
}
