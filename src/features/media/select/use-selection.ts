import {useSelector} from '@xstate/react'
import {useCallback, useEffect, useMemo} from 'react'
import {selectChosen, selectIsWorking} from '#machines/selection/selection.selectors.ts'
import type {SelectionEvent} from '#machines/selection/selection.types.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {useMedia} from '../media.context.tsx'

/** How a card is chosen: alone, or with all up to the one that was chosen before. */
export type ChooseBy = 'one' | 'range'

/** Sends to the choice of several results; the first event loads and begins it. */
function useSend(): (event: SelectionEvent) => void {
  const {actors, openSelection, notify, identity} = useMedia()
  const {selection} = actors
  return useCallback(
    (event) => {
      if (selection !== undefined) return selection.send(event)
      openSelection().then(
        (opened) => opened.send(event),
        () => notify({kind: 'error', textId: 'common.mediaOpenFailed', values: {tool: identity.name}}),
      )
    },
    [selection, openSelection, notify, identity],
  )
}

/** What is chosen is left with the screen; what was begun with it goes on. */
export function useLeaveWithScreen() {
  const {selection} = useMedia().actors
  useEffect(() => () => selection?.send({type: 'selection.leave'}), [selection])
}

/** Whether several results are being chosen, and what begins and ends it. */
export function useSelecting() {
  const {selection} = useMedia().actors
  const isSelecting = useSelector(selection, (snapshot) => selectChosen(snapshot) !== undefined)
  const isWorking = useSelector(selection, selectIsWorking)
  const send = useSend()
  const toggle = useCallback(
    () => send({type: isSelecting ? 'selection.leave' : 'selection.enter'}),
    [send, isSelecting],
  )
  return {isSelecting, isWorking, toggle}
}

/** Ids of the chosen tasks, undefined while nothing is being chosen, and what chooses one of these cards. */
export function useChoice(cards: readonly Card[]) {
  const {selection} = useMedia().actors
  const chosen = useSelector(selection, selectChosen)
  const send = useSend()
  const choose = useCallback(
    ({id}: Card, by: ChooseBy) => {
      if (id === undefined) return
      if (by === 'one') send({type: 'task.toggle', id})
      else send({type: 'task.extend', id, order: cards.flatMap((card) => card.id ?? [])})
    },
    [send, cards],
  )
  return {chosen: useMemo(() => chosen && new Set(chosen), [chosen]), choose}
}
