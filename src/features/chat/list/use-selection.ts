import {useCallback, useState, type KeyboardEvent} from 'react'
import {flushSync} from 'react-dom'
import {isComposing} from '#ui/is-composing.ts'

/** The chosen rows of a list, by key; `undefined` while nothing is chosen from. */
export type Selection = {
  keys: ReadonlySet<string> | undefined
  /** Adds a row or takes it out; with `isRange` all rows from the one before. */
  toggle: (key: string, isRange?: boolean) => void
  set: (keys: readonly string[]) => void
  end: () => void
  /** Ends it by a control of its own, which goes with it: the focus moves to a row. */
  leave: (key?: string) => void
  /** Escape in the list ends the choosing alone: no answer is stopped and no drawer closed. */
  onKeyDown: (event: KeyboardEvent) => void
}

/**
 * Choosing several rows out of `order`, the keys as they are listed. `focusRow` moves the focus to a row: the elements of
 * all rows are others while rows are chosen.
 */
export function useSelection(order: readonly string[], focusRow: (key?: string) => void): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>()
  const [anchor, setAnchor] = useState<string>()
  const toggle = useCallback(
    (key: string, isRange = false) => {
      const [from, to] = [order.indexOf(anchor ?? key), order.indexOf(key)].sort((a, b) => a - b)
      setAnchor(key)
      const choose = (choice: ReadonlySet<string> = new Set()) => {
        if (isRange && from !== undefined && to !== undefined && from >= 0)
          return new Set([...choice, ...order.slice(from, to + 1)])
        return choice.has(key) ? new Set([...choice].filter((other) => other !== key)) : new Set([...choice, key])
      }
      if (keys !== undefined) return setKeys(choose)
      // synchronous, because the drawer focuses itself one frame after the focused row is removed
      flushSync(() => setKeys(choose))
      focusRow(key)
    },
    [anchor, order, keys, focusRow],
  )
  const end = () => {
    setKeys(undefined)
    setAnchor(undefined)
  }
  const leave = (key?: string) => {
    if (keys === undefined) return
    flushSync(end)
    focusRow(key)
  }
  return {
    keys,
    toggle,
    set: (next) => setKeys(new Set(next)),
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
