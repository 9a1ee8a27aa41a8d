import type {ReactNode} from 'react'
import {accountErrorTextId} from '#domain/account-failure.ts'
import {
  selectFailure,
  selectIsStale,
  selectPage,
  type ListPage,
  type ResourceListSnapshot,
} from '#machines/resource-list/resource-list.machine.ts'
import {ErrorState} from '#ui/error-state.tsx'
import {Problem} from '#ui/problem.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import styles from './console-page.module.css'

type ListBodyProps<Item> = {
  snapshot: ResourceListSnapshot<Item>
  onRetry: () => void
  /** Instead of rows, when there are none on any page. */
  empty: ReactNode
  rows: (page: ListPage<Item>, isStale: boolean) => ReactNode
}

/** One page of a list in each of its states: loading, empty, rows, failed; rows stay while newer ones are read. */
export function ListBody<Item>({snapshot, onRetry, empty, rows}: ListBodyProps<Item>) {
  const text = useText()
  const page = selectPage(snapshot)
  const failure = selectFailure(snapshot)
  if (page === undefined) {
    if (failure === undefined) return <RowsSkeleton />
    return <ErrorState title={text('console.loadFailed')} help={text(accountErrorTextId(failure))} onRetry={onRetry} />
  }
  return (
    <>
      {failure !== undefined && (
        <Problem tone="warning" onRetry={onRetry}>
          {text('console.refreshFailed')}
        </Problem>
      )}
      {page.items.length === 0 && page.total === 0 ? empty : rows(page, selectIsStale(snapshot))}
    </>
  )
}

function RowsSkeleton() {
  return (
    <div className={styles.skeleton}>
      {Array.from({length: 6}, (_, row) => (
        <Skeleton key={row} blockSize={44} radius="var(--r-md)" />
      ))}
    </div>
  )
}
