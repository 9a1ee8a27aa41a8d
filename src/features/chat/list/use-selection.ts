import {useActorRef, useSelector} from '@xstate/react'
import {useCallback, useMemo, type KeyboardEvent} from 'react'
import {flushSync} from 'react-dom'
import {
  conversationSelectionMachine,
  selectChosenKeys,
  selectIsAsking,
  selectIsKept,
} from '#machines/conversation-selection/conversation-selection.machine.ts'
import {isComposing} from '#ui/is-composing.ts'

/** The choice of rows of a list. */
export type Selection = {
  /** The chosen rows; undefined while the list offers no choice. */
  keys: ReadonlySet<string> | undefined
  /** The user is asked whether to delete them. */
  isAsking: boolean
  /** The user was asked, and did not delete them. */
  isKept: boolean
  /** Adds a row or takes it out; with `isRange` all rows from the one before. */
  toggle: (key: string, isRange?: boolean) => void
  set: (keys: readonly string[]) => void
  ask: () => void
  keep: () => void
  end: () => void
  /** Ends the choice by a control that disappears with it: the focus moves to a row. */
  leave: (key?: string) => void
  /** Escape in the list ends the choosing alone: no answer is stopped and no drawer closed. */
  onKeyDown: (event: KeyboardEvent) => void
}

/**
 * Chooses several rows out of `order`, the keys as they are listed. `focusRow` moves the focus to a row: each row gets
 * a new element when the choice begins or ends.
 */
export function useSelection(order: readonly string[], focusRow: (key?: string) => void): Selection {
  const actor = useActorRef(conversationSelectionMachine)
  const chosenKeys = useSelector(actor, selectChosenKeys)
  const keys = useMemo(() => chosenKeys && new Set(chosenKeys), [chosenKeys])
  const isAsking = useSelector(actor, selectIsAsking)
  const isKept = useSelector(actor, selectIsKept)
  const toggle = useCallback(
    (key: string, isRange = false) => {
      const choose = () => actor.send(isRange ? {type: 'row.extend', key, order} : {type: 'row.toggle', key})
      if (keys !== undefined) return choose()
      // synchronous, because the drawer focuses itself one frame after the focused row is removed
      flushSync(choose)
      focusRow(key)
    },
    [actor, order, keys, focusRow],
  )
  const end = () => actor.send({type: 'selection.end'})
  const leave = (key?: string) => {
    if (keys === undefined) return
    flushSync(end)
    focusRow(key)
  }
  return {
    keys,
    isAsking,
    isKept,
    toggle,
    set: (next) => actor.send({type: 'rows.choose', keys: next}),
    ask: () => actor.send({type: 'delete.ask'}),
    keep: () => actor.send({type: 'delete.cancel'}),
    end,
    leave,
    onKeyDown: (event) => {
      if (keys === undefined || event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return
      event.preventDefault()
      event.stopPropagation()
      leave()
    },
  }
}
