import {useSelector} from '@xstate/react'
import {useCallback, useSyncExternalStore} from 'react'
import {selectCards, selectHasItems, selectNeedsSetup, type Card} from '#machines/task-list/task-list.selectors.ts'
import {selectOlder, selectPageStatus} from '#machines/tasks/tasks.selectors.ts'
import type {FeedProps} from './feed/feed.tsx'
import {loadedRatio} from './feed/loaded-ratios.ts'
import {contentShape, ownRatio, type Shape} from './feed/ratio.ts'
import {useMedia} from './media.context.ts'

/** The tasks and requests of the tool as cards, newest first. The same array until one of them changes. */
export function useCards(): readonly Card[] {
  const {list, requests} = useMedia().actors
  const subscribe = useCallback(
    (onChange: () => void) => {
      const subscriptions = [list.subscribe(onChange), requests.subscribe(onChange)]
      return () => subscriptions.forEach((subscription) => subscription.unsubscribe())
    },
    [list, requests],
  )
  return useSyncExternalStore(subscribe, () => selectCards(list.getSnapshot()))
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
          const source = selectCards(actors.list.getSnapshot())
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
  const {list, pages} = useMedia().actors
  const status = useSelector(pages, selectPageStatus)
  const hasItems = useSelector(list, selectHasItems)
  const needsSetUp = useSelector(list, selectNeedsSetup)
  const older: FeedProps['older'] = useSelector(pages, selectOlder)
  return {status: status === 'request' && hasItems ? ('success' as const) : status, needsSetUp, older}
}
