import {useSelector} from '@xstate/react'
import {useCallback, useMemo} from 'react'
import {
  selectCards,
  selectHasOlder,
  selectIsLoadingOlder,
  selectNeedsSetup,
  selectOlderFailure,
  selectPageStatus,
} from '#machines/tasks/tasks.selectors.ts'
import {newestFirst, type Card} from './feed/card.ts'
import type {FeedProps} from './feed/feed.tsx'
import {loadedRatio} from './feed/loaded-ratios.ts'
import {contentShape, ownRatio, type Shape} from './feed/ratio.ts'
import {useMedia} from './media.context.tsx'

/** The tasks of the tool as cards, newest first. The same array until one of them changes. */
export function useCards(): readonly Card[] {
  const {actors, tool} = useMedia()
  const listed = useSelector(actors.list, selectCards)
  return useMemo(() => newestFirst(tool, listed), [tool, listed])
}

/** The shape of what a card holds or will hold. `usual`: width over height that the tool's results mostly have. */
export function useShapes(usual: number): (card: Card) => Shape {
  const {actors, tool} = useMedia()
  return useCallback(
    (card: Card) =>
      contentShape(
        tool,
        card,
        usual,
        (name) => {
          const cards = newestFirst(tool, selectCards(actors.list.getSnapshot()))
          const source = cards
            .flatMap(({reading}) => reading.artifacts)
            .find(({id, url}) => id === name || url === name)
          return source && ownRatio(source)
        },
        loadedRatio,
      ),
    [actors.list, tool, usual],
  )
}

/** How far the list itself is. */
export function useListState() {
  const {list} = useMedia().actors
  const status = useSelector(list, selectPageStatus)
  const needsSetUp = useSelector(list, selectNeedsSetup)
  const hasOlder = useSelector(list, selectHasOlder)
  const isLoadingOlder = useSelector(list, selectIsLoadingOlder)
  const olderFailure = useSelector(list, selectOlderFailure)
  const older: FeedProps['older'] = isLoadingOlder
    ? 'loading'
    : olderFailure !== undefined
      ? 'failed'
      : hasOlder
        ? 'some'
        : 'none'
  return {status, needsSetUp, older}
}
