import {useRef, type KeyboardEvent, type ReactNode} from 'react'
import {Chip} from '#ui/forms/chip.tsx'
import {GridIcon, ListIcon} from '#ui/media-icons.tsx'
import {Tooltip} from '#ui/tooltip.tsx'
import {useText} from '#ui/text.tsx'
import type {FeedFilter} from './filter-cards.ts'
import type {FeedLayout} from './task-card.tsx'
import styles from './feed.module.css'

export type FeedCounts = Record<FeedFilter, number>

type FeedFiltersProps = {filter: FeedFilter; counts: FeedCounts; onFilter: (filter: FeedFilter) => void}

export const filterText = {
  all: 'common.mediaAll',
  busy: 'common.mediaInProgress',
  failed: 'common.mediaFailedFilter',
  favourites: 'common.mediaFavourites',
} as const
const filters = ['all', 'busy', 'failed', 'favourites'] as const

/** All, running, failed, favourites; each with its number. One that has none goes away, unless it is on. */
export function FeedFilters({filter, counts, onFilter}: FeedFiltersProps) {
  const text = useText()
  return (
    <div className={styles.filters} role="group" aria-label={text('common.mediaFilter')}>
      {filters
        .filter((each) => each === 'all' || each === filter || counts[each] > 0)
        .map((each) => (
          <Chip key={each} pressed={each === filter} count={counts[each]} onPress={() => onFilter(each)}>
            {text(filterText[each])}
          </Chip>
        ))}
    </div>
  )
}

const layouts = [
  {value: 'grid', Icon: GridIcon, label: 'common.mediaGrid'},
  {value: 'list', Icon: ListIcon, label: 'common.mediaList'},
] as const

type LayoutChoiceProps = {
  layout: FeedLayout
  onLayout: (layout: FeedLayout) => void
}

/** How the list is looked at, and what begins a choice in it: the end of the head. */
export function FeedLooks({children}: {children: ReactNode}) {
  return <div className={styles.looks}>{children}</div>
}

/** Cards beside each other, or one to a line with its whole prompt. */
export function LayoutChoice({layout, onLayout}: LayoutChoiceProps) {
  const text = useText()
  const group = useRef<HTMLDivElement>(null)
  const press = (event: KeyboardEvent) => {
    if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    const other = layout === 'grid' ? 'list' : 'grid'
    onLayout(other)
    group.current?.querySelector<HTMLElement>(`[data-value="${other}"]`)?.focus()
  }
  return (
    <div
      ref={group}
      className={styles.layouts}
      role="radiogroup"
      aria-label={text('common.mediaLayout')}
      onKeyDown={press}
    >
      {layouts.map(({value, Icon, label}) => (
        <Tooltip key={value} text={text(label)}>
          <button
            type="button"
            role="radio"
            data-value={value}
            aria-checked={layout === value}
            aria-label={text(label)}
            tabIndex={layout === value ? 0 : -1}
            onClick={() => onLayout(value)}
          >
            <Icon />
          </button>
        </Tooltip>
      ))}
    </div>
  )
}
