import {useCallback, useEffect, useState, type FocusEvent, type KeyboardEvent, type RefObject} from 'react'
import {focusMessageField} from '../focus-message-field.ts'

const rowLinks = 'a[data-row]'
const rowOf = (key: string) => `[data-row="${CSS.escape(key)}"]`

/** The row after an element, else the one before it. */
function neighbourOf(inRow: HTMLElement): HTMLElement | undefined {
  const links = [...document.querySelectorAll<HTMLElement>(rowLinks)].filter((link) => link !== inRow)
  const isAfter = (link: HTMLElement) => (inRow.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return links.find(isAfter) ?? links.at(-1)
}

/** The focus goes from a row that is about to be gone to its neighbour, from the only one to the message field. */
export function focusNeighbour(inRow: HTMLElement): void {
  const neighbour = neighbourOf(inRow)
  if (neighbour === undefined) focusMessageField()
  else neighbour.focus()
}

/** The same once the row is gone in the next frame, where the focus went with it: a menu gives it back before. */
export function focusAfterGone(key: string): void {
  const row = document.querySelector<HTMLElement>(rowOf(key))
  const neighbour = row === null ? undefined : neighbourOf(row)
  const isByKeys = document.activeElement?.matches(':focus-visible') === true
  requestAnimationFrame(() => {
    if (row === null || document.activeElement !== document.body) return
    if (neighbour === undefined) focusMessageField()
    else neighbour.focus({preventScroll: !isByKeys})
  })
}

/**
 * The focus that went with a row which stands elsewhere in the next frame goes there. The list follows it by keys alone:
 * under a pointer it stays as it is.
 */
export function focusMovedRow(key: string): void {
  const isByKeys = document.activeElement?.matches(':focus-visible') === true
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(rowOf(key))?.focus({preventScroll: !isByKeys})
  })
}

type Edge = {isEnd: boolean}

/**
 * Returns a function that scrolls to an edge of the list, also of rows that are about to be listed, and gives its row the
 * focus when it is in the page; without a row the way back to all has it. A key or press of the user before that ends the
 * wait.
 */
function useEdgeFocus(scroller: RefObject<HTMLElement | null>, order: readonly string[]) {
  const [edge, setEdge] = useState<Edge>()
  const key = edge?.isEnd === true ? order.at(-1) : order[0]
  useEffect(() => {
    const list = scroller.current
    if (edge === undefined || list === null) return
    const end = () => setEdge(undefined)
    const look = () => {
      const target = list.querySelector<HTMLElement>(key === undefined ? 'button' : rowOf(key))
      // a row that is not measured yet is hidden, and takes no focus
      target?.focus()
      if (target !== null && document.activeElement === target) end()
    }
    // a long list is a part that may still be loading, and its rows come as it is scrolled
    const observer = new MutationObserver(look)
    // a dialog that closes for it gives the focus back before
    const frame = requestAnimationFrame(() => {
      list.scrollTop = edge.isEnd ? list.scrollHeight : 0
      observer.observe(list, {childList: true, subtree: true, attributeFilter: ['style']})
      look()
    })
    const listening = new AbortController()
    for (const type of ['keydown', 'pointerdown'])
      addEventListener(type, end, {capture: true, signal: listening.signal})
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      listening.abort()
    }
  }, [scroller, edge, key])
  return (isEnd: boolean) => setEdge({isEnd})
}

/**
 * Keys of a list of rows: Tab stops once, at the row that had the focus last, else at the active one; the arrows, Home
 * and End go on from there.
 */
export function useRowKeys(
  scroller: RefObject<HTMLElement | null>,
  order: readonly string[],
  active: string | undefined,
) {
  const [focusedKey, setFocusedKey] = useState<string>()
  const stop = [focusedKey, active].find((key) => key !== undefined && order.includes(key)) ?? order[0]
  const links = () => [...(scroller.current?.querySelectorAll<HTMLElement>(rowLinks) ?? [])]
  const focusEdge = useEdgeFocus(scroller, order)
  const focusRow = useCallback(
    (key = stop) => {
      if (key !== undefined) scroller.current?.querySelector<HTMLElement>(rowOf(key))?.focus()
    },
    [scroller, stop],
  )
  return {
    stop,
    /** Moves the focus to a row, without a key to that at which Tab stops. */
    focusRow,
    focusFirst: () => focusEdge(false),
    onFocus: ({target}: FocusEvent<HTMLElement>) =>
      setFocusedKey((before) => target.closest<HTMLElement>('[data-row]')?.dataset.row ?? before),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const {key, target, ctrlKey, metaKey, altKey, shiftKey} = event
      if (ctrlKey || metaKey || altKey || shiftKey || !(target instanceof HTMLElement) || !target.matches(rowLinks))
        return
      const all = links()
      const index = all.indexOf(target)
      const acts: Partial<Record<string, () => void>> = {
        ArrowDown: () => all[index + 1]?.focus(),
        ArrowUp: () => all[index - 1]?.focus(),
        Home: () => focusEdge(false),
        End: () => focusEdge(true),
      }
      const act = acts[key]
      if (act === undefined) return
      event.preventDefault()
      act()
    },
  }
}
