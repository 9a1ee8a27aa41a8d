import type {ReactElement} from 'react'
import type {Order} from '#contract/orders.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {DataTable, type Column} from '#ui/table/data-table.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'
import {OrderName} from './order-name.tsx'
import {OrderStateChip} from './order-state-chip.tsx'
import {PriceText, type PriceCurrency} from './price-text.tsx'
import {ShortId} from './short-id.tsx'
import styles from './order-table.module.css'

type OrderTableProps = PriceCurrency & {
  orders: readonly Order[]
  isStale: boolean
  link: (order: Order) => ReactElement
}

/** The user's orders (design/screens §7). */
export function OrderTable({orders, isStale, link, ...money}: OrderTableProps) {
  const text = useText()
  const columns: Column<Order>[] = [
    {
      id: 'description',
      label: text('order.description'),
      isName: true,
      cell: (order) => (
        <span className={styles.name}>
          <span>
            <OrderName order={order} />
          </span>
          <ShortId id={order.id} />
        </span>
      ),
    },
    {
      id: 'price',
      label: text('order.price'),
      align: 'end',
      cell: ({price}) => (price == null ? '–' : <PriceText usd={Number(price)} {...money} />),
    },
    {id: 'state', label: text('order.state'), cell: ({state}) => <OrderStateChip state={state} />},
    {
      id: 'created',
      label: text('order.created'),
      cell: ({created_at: at}) => (at == null ? '–' : <TimeText value={at} format={formatDateTime} />),
    },
    {id: 'actions', label: text('console.actions'), isActions: true, cell: link},
  ]
  return (
    <DataTable label={text('index.orders')} columns={columns} rows={orders} keyOf={({id}) => id} isStale={isStale} />
  )
}
