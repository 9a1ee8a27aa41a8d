import type {ReactElement, ReactNode} from 'react'
import type {Order} from '#contract/orders.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {canBePaid} from '#domain/order-state.ts'
import {buttonClass} from '#ui/button-class.ts'
import {ChevronEndIcon} from '#ui/icons.tsx'
import {useLanguage} from '#ui/language.tsx'
import {DataTable, type TableColumn} from '#ui/table/data-table.tsx'
import type {Sorting} from '#ui/table/sorting.ts'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'
import {OrderName, orderName} from './order-name.tsx'
import {OrderStateChip} from './order-state-chip.tsx'
import {CostText, type PriceCurrency} from './price-text.tsx'
import {ShortId} from './short-id.tsx'
import styles from './order-table.module.css'

/** Keys of the wire by which orders can be put in order. */
export const orderSortKeys = ['created_at', 'price'] as const

type LinkLook = {className?: string; 'aria-label': string; children: ReactNode}

type OrderTableProps = PriceCurrency & {
  orders: readonly Order[]
  isStale: boolean
  sorting: Sorting
  /** Leads to the page of the order. */
  link: (order: Order, look: LinkLook) => ReactElement
}

/** The user's orders (design/screens §7). */
export function OrderTable({orders, isStale, sorting, link, ...money}: OrderTableProps) {
  const text = useText()
  const {locale} = useLanguage()
  const linkOf = (order: Order, isOnCard: boolean) => {
    const [name, isPayable] = [orderName(text, order, locale), canBePaid(order)]
    return link(order, {
      'aria-label': text(isPayable ? 'order.payOf' : 'order.viewOf', {name}),
      ...(isOnCard && !isPayable
        ? {children: <ChevronEndIcon />}
        : {
            className: buttonClass(isPayable ? 'primary' : 'outline', 'sm'),
            children: text(isPayable ? 'order.pay' : 'order.view'),
          }),
    })
  }
  const columns: TableColumn<Order, (typeof orderSortKeys)[number]>[] = [
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
      cardCell: (order) => <OrderName order={order} />,
    },
    {
      id: 'price',
      label: text('order.price'),
      align: 'end',
      card: 'end',
      sort: {key: 'price', kind: 'amount'},
      cell: ({price}) => <CostText price={price} {...money} />,
      cardCell: ({price}) => price != null && <CostText price={price} {...money} />,
    },
    {id: 'state', label: text('order.state'), card: 'plain', cell: (order) => <OrderStateChip order={order} />},
    {
      id: 'created',
      label: text('order.created'),
      card: 'plain',
      sort: {key: 'created_at', kind: 'created'},
      cell: (order) => creationOf(order) ?? '–',
      cardCell: creationOf,
    },
    {
      id: 'actions',
      label: text('console.actions'),
      isActions: true,
      card: 'cover',
      cell: (order) => linkOf(order, false),
      cardCell: (order) => linkOf(order, true),
    },
  ]
  return (
    <DataTable
      label={text('index.orders')}
      columns={columns}
      rows={orders}
      keyOf={({id}) => id}
      isStale={isStale}
      sorting={sorting}
    />
  )
}

const creationOf = ({created_at: at}: Order) => (at == null ? null : <TimeText value={at} format={formatDateTime} />)
