import {ArrowUpDown} from 'lucide'
import {define} from '../icons.tsx'
import {ArrowDownIcon} from '../later-icons.tsx'
import styles from './sort-button.module.css'
import {nextSort, type SortKey, type Sorting} from './sorting.ts'

/** Kept out of the chat's first load. */
const UnsortedIcon = /* @__PURE__ */ define(ArrowUpDown)

type SortButtonProps = {label: string; sortKey: SortKey; sorting: Sorting}

/** The heading of a column that puts the rows in its order. `aria-sort` of its cell says the present one. */
export function SortButton({label, sortKey, sorting}: SortButtonProps) {
  const {sort, onSort} = sorting
  const direction = sort.key === sortKey.key ? sort.direction : undefined
  const Icon = direction === undefined ? UnsortedIcon : ArrowDownIcon
  return (
    <button
      type="button"
      className={styles.button}
      data-direction={direction}
      onClick={() => onSort(nextSort(sorting, sortKey))}
    >
      {label}
      <Icon size={14} />
    </button>
  )
}
