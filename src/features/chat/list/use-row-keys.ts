import {useCallback, useState, type FocusEvent, type KeyboardEvent, type RefObject} from 'react'

const rowLinks = 'a[data-row]'

/** The focus goes from a row that is about to be gone to the next one, else to the one before. */
export function focusNeighbour(inRow: HTMLElement): void {
  const links = [...document.querySelectorAll<HTMLElement>(rowLinks)]
  const isAfter = (link: HTMLElement) => (inRow.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  ;(links.find(isAfter) ?? links.at(-1))?.focus()
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
  const focusEdge = (isLast: boolean) => {
    if (scroller.current === null) return
    // rows far away are not in the page yet
    scroller.current.scrollTop = isLast ? scroller.current.scrollHeight : 0
    requestAnimationFrame(() =>
      links()
        .at(isLast ? -1 : 0)
        ?.focus(),
    )
  }
  /** Also of rows that are about to be listed; without one the way back to all. */
  const focusFirst = () =>
    requestAnimationFrame(() => (links()[0] ?? scroller.current?.querySelector<HTMLElement>('button'))?.focus())
  const focusRow = useCallback(
    (key = stop) => {
      if (key !== undefined) scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)?.focus()
    },
    [scroller, stop],
  )
  return {
    stop,
    /** Moves the focus to a row, without a key to that at which Tab stops. */
    focusRow,
    focusFirst,
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
