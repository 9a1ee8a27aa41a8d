import {useCallback, useMemo, useState, useSyncExternalStore} from 'react'
import {useSelector} from '@xstate/react'
import {remembered} from '#browser/remembered-value.ts'
import {countMarks, markedTasks} from '#domain/favourites.ts'
import {selectMarks} from '#machines/task-favourites/task-favourites.machine.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {filterCards, isBusy, isFailed, type FeedFilter} from './feed/filter-cards.ts'
import type {FeedCounts} from './feed/feed-head.tsx'
import type {FeedLayout} from './feed/task-card.tsx'
import {useMedia} from './media.context.ts'
import {useSongVideos} from './songs/use-song-videos.ts'

/** Grid or list, the same for the results of all tools. */
const feedLayout = remembered(
  'atrium.feed',
  (text): 'grid' | 'list' => (text === 'list' ? 'list' : 'grid'),
  (layout) => layout,
)

/** Grid or list, the same for all tools of this browser. */
export function useLayout(): [FeedLayout, (layout: FeedLayout) => void] {
  return [useSyncExternalStore(feedLayout.subscribe, feedLayout.get), feedLayout.set]
}

/** How many lines cards have: one each, and one for every song. */
const countLines = (cards: readonly Card[]) =>
  cards.reduce((sum, {reading}) => sum + (reading.artifacts.filter(({medium}) => medium === 'audio').length || 1), 0)

/**
 * The filter of a feed, what it leaves over, and how many each has. `total` counts what the server has. Who goes to a
 * task from elsewhere (`visit` is another then) sees all again.
 */
export function useFilter(cards: readonly Card[], total: number, visit?: unknown) {
  const [choice, setChoice] = useState<{filter: FeedFilter; visit: unknown}>({filter: 'all', visit})
  const filter = choice.visit === visit ? choice.filter : 'all'
  const {favourites} = useMedia().actors
  const marks = useSelector(favourites, selectMarks)
  const markedIds = useMemo(() => markedTasks(marks), [marks])
  const setFilter = useCallback(
    (next: FeedFilter) => {
      if (next === 'favourites') favourites.send({type: 'favourites.find'})
      setChoice({filter: next, visit})
    },
    [favourites, visit],
  )
  const shownCards = useMemo(() => filterCards(cards, filter, markedIds), [cards, filter, markedIds])
  const joins = useSongVideos(cards)
  const counts = useMemo((): FeedCounts => {
    const linesOf = (some: readonly Card[]) => countLines(joins?.joinVideos(some, cards) ?? some)
    return {
      // of what is not read yet only the number of tasks is known
      all: linesOf(cards) + Math.max(0, total - cards.length),
      busy: linesOf(cards.filter(isBusy)),
      failed: linesOf(cards.filter(isFailed)),
      // those of tasks that are not read yet among them, where there are any
      favourites: total > cards.length ? countMarks(marks) : filterCards(cards, 'favourites', markedIds).length,
    }
  }, [joins, cards, total, marks, markedIds])
  const clear = useCallback(() => setFilter('all'), [setFilter])
  return {filter, setFilter, clear, shown: shownCards, counts}
}
