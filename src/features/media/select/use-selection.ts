import {useSelector} from '@xstate/react'
import {useCallback, useEffect, useMemo} from 'react'
import {selectChosen, selectIsWorking} from '#machines/selection/selection.selectors.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {useMedia} from '../media.context.ts'

/** How a card is chosen: alone, or with all up to the one that was chosen before. */
export type ChooseBy = 'one' | 'range'

/** Ends the choice with the screen; a command that was begun with it goes on. */
export function useLeaveWithScreen() {
  const {selection} = useMedia().actors
  useEffect(() => () => selection?.send({type: 'selection.leave'}), [selection])
}

/** Whether several results are being chosen, and what begins and ends it. */
export function useSelecting() {
  const {actors, select} = useMedia()
  const {selection} = actors
  const isSelecting = useSelector(selection, (snapshot) => selectChosen(snapshot) !== undefined)
  const isWorking = useSelector(selection, selectIsWorking)
  const toggle = useCallback(
    () => select({type: isSelecting ? 'selection.leave' : 'selection.enter'}),
    [select, isSelecting],
  )
  return {isSelecting, isWorking, toggle}
}

/** Ids of the chosen tasks, undefined while nothing is being chosen, and what chooses one of these cards. */
export function useChoice(cards: readonly Card[]) {
  const {actors, select} = useMedia()
  const {selection} = actors
  const chosenIds = useSelector(selection, selectChosen)
  const choose = useCallback(
    ({id}: Card, by: ChooseBy) => {
      if (id === undefined) return
      if (by === 'one') select({type: 'task.toggle', id})
      else select({type: 'task.extend', id, order: cards.flatMap((card) => card.id ?? [])})
    },
    [select, cards],
  )
  return {chosen: useMemo(() => chosenIds && new Set(chosenIds), [chosenIds]), choose}
}
