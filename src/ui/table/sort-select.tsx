import {useId} from 'react'
import {Select} from '../forms/select.tsx'
import {useText, type Text} from '../text.tsx'
import styles from './sort-select.module.css'
import type {Sort, SortKey, Sorting} from './sorting.ts'

type SortableColumn = {label: string; sort?: SortKey}

type SortSelectProps = {columns: readonly SortableColumn[]; sorting: Sorting}

const directions = ['descending', 'ascending'] as const

const nameOf = (text: Text, column: string, {kind}: SortKey, direction: Sort['direction']): string => {
  switch (kind) {
    case 'created':
      return text(direction === 'descending' ? 'console.newestFirst' : 'console.oldestFirst')
    case 'amount':
      return text(direction === 'descending' ? 'console.highestFirst' : 'console.lowestFirst', {column})
    case 'time':
      return text(direction === 'descending' ? 'console.latestFirst' : 'console.earliestFirst', {column})
  }
}

const isSame = (one: Sort, other: Sort) => one.key === other.key && one.direction === other.direction

/** The order of rows where they have no headings to press. */
export function SortSelect({columns, sorting: {sort, initial, onSort}}: SortSelectProps) {
  const text = useText()
  const id = useId()
  const orders = columns.flatMap(({label, sort: sortKey}) =>
    sortKey === undefined
      ? []
      : directions.map((direction) => ({
          order: {key: sortKey.key, direction},
          label: nameOf(text, label, sortKey, direction),
        })),
  )
  // a list without a column for it
  if (!orders.some(({order}) => isSame(order, initial)))
    orders.unshift({order: {...initial}, label: text('console.newestFirst')})
  return (
    <label className={styles.sort}>
      {text('console.sortBy')}
      <Select
        id={id}
        value={String(orders.findIndex(({order}) => isSame(order, sort)))}
        options={orders.map(({label}, index) => ({value: String(index), label}))}
        onChange={(value) => onSort(orders[Number(value)]?.order ?? initial)}
      />
    </label>
  )
}
