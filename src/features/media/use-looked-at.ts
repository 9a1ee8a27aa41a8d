import {useState} from 'react'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {ViewerPosition} from './viewer/viewer-items.ts'

/** The result that is looked at. One that is gone is not any more, also when it comes back. */
export function useLookedAt(cards: readonly Card[]) {
  const [position, setPosition] = useState<ViewerPosition>()
  const isGone =
    position !== undefined &&
    !cards.some(({key, reading}) => key === position.key && reading.artifacts[position.index] !== undefined)
  if (isGone) setPosition(undefined)
  return [isGone ? undefined : position, setPosition] as const
}
