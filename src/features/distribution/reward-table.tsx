import type {ReactNode} from 'react'
import type {DistributionHistory} from '#contract/distribution.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {microOf, microText} from '#domain/exact-amount.ts'
import {formatPercent} from '#domain/percent.ts'
import {useLanguage} from '#ui/language.tsx'
import {DataTable, type TableColumn} from '#ui/table/data-table.tsx'
import type {Sorting} from '#ui/table/sorting.ts'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'
import styles from './reward-table.module.css'

/** Keys of the wire by which rewards can be put in order. */
export const rewardSortKeys = ['created_at', 'price', 'reward'] as const

type RewardTableProps = {
  rewards: readonly DistributionHistory[]
  isStale: boolean
  sorting: Sorting
  /** An amount of US dollars in the user's currency. */
  price: (usd: number) => ReactNode
  /** A long id, shortened, with a button that copies it. */
  shortId: (id: string) => ReactNode
}

/** Rewards of paid orders of invitees, and their sum on this page (design/screens §10). */
export function RewardTable({rewards, isStale, sorting, price, shortId}: RewardTableProps) {
  const text = useText()
  const {locale} = useLanguage()
  const amount = (usd: number | null | undefined) => (usd == null ? null : price(usd))
  const columns: TableColumn<DistributionHistory, (typeof rewardSortKeys)[number]>[] = [
    {
      id: 'time',
      label: text('distribution.time'),
      sort: {key: 'created_at', kind: 'created'},
      isName: true,
      cell: ({created_at: at}) => (at == null ? '–' : <TimeText value={at} format={formatDateTime} />),
    },
    {id: 'order', label: text('distribution.order'), cell: ({order_id: id}) => (id == null ? '–' : shortId(id))},
    {
      id: 'price',
      label: text('distribution.sale'),
      align: 'end',
      sort: {key: 'price', kind: 'amount'},
      cell: (row) => amount(row.price) ?? '–',
      cardCell: (row) => amount(row.price),
    },
    {
      id: 'percentage',
      label: text('distribution.ratio'),
      align: 'end',
      cell: ({percentage}) => (percentage == null ? '–' : formatPercent(percentage, locale)),
    },
    {
      id: 'reward',
      label: text('distribution.rewardOf'),
      align: 'end',
      sort: {key: 'reward', kind: 'amount'},
      card: 'end',
      cell: (row) => amount(row.reward) ?? '–',
      cardCell: (row) => amount(row.reward),
    },
  ]
  const sum = rewards.reduce((total, {reward}) => total + microOf(reward ?? 0), 0n)
  return (
    <>
      <DataTable
        label={text('index.rewards')}
        columns={columns}
        rows={rewards}
        keyOf={({id}) => id}
        isStale={isStale}
        sorting={sorting}
      />
      <p className={styles.sum}>
        {text('distribution.pageSum')} <strong>{price(Number(microText(sum)))}</strong>
      </p>
    </>
  )
}
