import {useState} from 'react'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {ViewerPlace} from './viewer/viewer-items.ts'

/** The result that is looked at. One that is gone is not any more, also when it comes back. */
export function useLookedAt(cards: readonly Card[]) {
  const [place, setPlace] = useState<ViewerPlace>()
  const isGone =
    place !== undefined &&
    !cards.some(({key, reading}) => key === place.key && reading.artifacts[place.index] !== undefined)
  if (isGone) setPlace(undefined)
  return [isGone ? undefined : place, setPlace] as const
}
