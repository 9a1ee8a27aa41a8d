import {Link, useParams} from '@tanstack/react-router'
import {useActor} from '@xstate/react'
import {useState} from 'react'
import {fromPromise} from 'xstate'
import {createOrdersApi} from '#api/orders.ts'
import type {Order, PayWay} from '#contract/orders.ts'
import {errorTextId} from '#domain/failure.ts'
import {ConsolePage} from '#features/console/console-page.tsx'
import {OrderView} from '#features/console/order-view.tsx'
import {orderPaymentMachine} from '#machines/order-payment/order-payment.machine.ts'
import {buttonClass} from '#ui/button-class.ts'
import {ErrorState} from '#ui/error-state.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {actorOf, useAppActor, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {createPayTab} from './pay-tab.ts'
import {usePriceCurrency} from './use-price-currency.ts'

/** `/console/orders/{id}`: another order is another page. */
export function OrderRoute() {
  const {orderId} = useParams({from: '/shell/console/orders/$orderId'})
  return <OrderPage key={orderId} orderId={orderId} />
}

function OrderPage({orderId}: {orderId: string}) {
  const text = useText()
  const money = usePriceCurrency()
  const logic = usePaymentLogic()
  const environment = useAppActor('environment')
  const [snapshot, send] = useActor(logic, {input: {orderId, environment}})
  const {order, failure} = snapshot.context
  return (
    <ConsolePage
      title={text('index.order')}
      tools={
        <Link to="/console/orders" className={buttonClass('ghost', 'sm')}>
          {text('index.orders')}
        </Link>
      }
    >
      {order !== undefined ? (
        <OrderView snapshot={snapshot} send={send} order={order} money={money} next={<NextLinks order={order} />} />
      ) : failure !== undefined && snapshot.matches('unavailable') ? (
        <ErrorState
          title={text(failure.status === 404 ? 'order.notFound' : 'console.loadFailed')}
          detail={text(errorTextId(failure))}
          onRetry={() => send({type: 'order.load'})}
        />
      ) : (
        <Skeleton blockSize={220} radius="var(--r-lg)" />
      )}
    </ConsolePage>
  )
}

/** Fills the ports of a payment: the orders API, the tab of the payment, and the rest of the page. */
function usePaymentLogic() {
  const root = useRoot()
  const {services} = useAppInfo()
  const [logic] = useState(() => {
    const tab = createPayTab()
    const orders = services.client(createOrdersApi)
    return orderPaymentMachine.provide({
      actors: {
        readOrder: fromPromise<Order, {orderId: string}>(({input, signal}) => orders.refresh(input.orderId, signal)),
        startPayment: fromPromise<Order, {orderId: string; payWay: PayWay}>(({input, signal}) =>
          orders.pay(input.orderId, {pay_way: input.payWay, redirect: `/console/orders/${input.orderId}`}, signal),
        ),
      },
      actions: {
        reserveTab: tab.reserve,
        showPayPage: (_, page) => tab.show(page),
        releaseTab: tab.release,
        // an order of long ago is no news: what was refused after it waits on
        announceCredits: ({context: {order}}) => {
          const finishedAt = order?.finished_at == null ? Date.now() : Date.parse(order.finished_at)
          actorOf(root, 'session')?.send({type: 'credits.added', at: Math.floor(finishedAt / 1_000)})
          actorOf(root, 'provisioning/chat')?.send({type: 'applications.refresh'})
        },
      },
    })
  })
  return logic
}

/** Where to go from an order that is over: to what it was bought for, or to another order. */
function NextLinks({order}: {order: Order}) {
  const text = useText()
  const applicationId = order.application_id ?? order.application_ids?.[0]
  if (order.state === 'Expired' || order.state === 'Refunded')
    return applicationId == null ? null : (
      <Link to="/console/applications/$applicationId/extra" params={{applicationId}} className={buttonClass('primary')}>
        {text('order.again')}
      </Link>
    )
  return (
    <>
      <Link to="/" className={buttonClass('primary')}>
        {text('order.startUsing')}
      </Link>
      <Link
        to="/console/usages"
        search={applicationId == null ? {} : {application_id: applicationId}}
        className={buttonClass('outline')}
      >
        {text('application.seeUsage')}
      </Link>
    </>
  )
}
