import {Link} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {createOrdersApi} from '#api/orders.ts'
import {orderStates, type Order} from '#contract/orders.ts'
import {ConsolePage} from '#features/console/console-page.tsx'
import {ListBody} from '#features/console/list-body.tsx'
import {OrderTable, orderSortKeys} from '#features/console/order-table.tsx'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {Button} from '#ui/button.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
import {OrdersIcon} from '#ui/console-icons.tsx'
import {Select} from '#ui/forms/select.tsx'
import {Pager} from '#ui/table/pager.tsx'
import {useText} from '#ui/text.tsx'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {pagerLink} from './page-link.tsx'
import {pageNumber, pageRequest, useAddressList} from './use-address-list.ts'
import {usePriceCurrency} from './use-price-currency.ts'

const pageSize = 15
const keys = ['page', 'state']

/** `/console/orders` */
export function OrdersRoute() {
  const text = useText()
  const {services} = useAppInfo()
  const money = usePriceCurrency()
  const userId = useSelector(useAppActor('auth'), selectUser)?.id
  const list = useAddressList<Order>({
    keys,
    sortKeys: orderSortKeys,
    pageSize,
    read: async (query, signal) => {
      const state = orderStates.find((name) => name === query.state)
      const {items, count} = await services.client(createOrdersApi).list(
        {
          ...pageRequest(query, pageSize),
          ...(userId === undefined ? {} : {user_id: userId}),
          ...(state === undefined ? {} : {state}),
        },
        signal,
      )
      return {items, total: count}
    },
  })
  const state = orderStates.find((name) => name === list.query.state) ?? 'all'
  const choose = (next: string) => list.choose({state: next === 'all' ? undefined : next})
  return (
    <ConsolePage
      title={text('index.orders')}
      tools={
        <label>
          <span className="visually-hidden">{text('order.state')}</span>
          <Select
            id="order-state"
            value={state}
            options={[
              {value: 'all', label: text('console.all')},
              ...orderStates.map((name) => ({value: name, label: text(`order.state${name}`)})),
            ]}
            onChange={choose}
          />
        </label>
      }
    >
      <ListBody
        snapshot={list.snapshot}
        onRetry={() => list.send({type: 'list.refresh'})}
        empty={
          state === 'all' ? (
            <EmptyState icon={<OrdersIcon size={20} />} title={text('order.none')} text={text('order.noneHelp')} />
          ) : (
            <EmptyState
              title={text('console.nothingMatches')}
              action={<Button onClick={() => choose('all')}>{text('console.clearFilters')}</Button>}
            />
          )
        }
        rows={(page, isStale) => (
          <>
            <OrderTable
              {...money}
              orders={page.items}
              isStale={isStale}
              sorting={list.sorting}
              link={(order, look) => <Link to="/console/orders/$orderId" params={{orderId: order.id}} {...look} />}
            />
            <Pager page={pageNumber(list.query)} pageSize={pageSize} total={page.total} link={pagerLink} />
          </>
        )}
      />
    </ConsolePage>
  )
}
