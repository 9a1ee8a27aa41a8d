import {useLayoutEffect} from 'react'

/** Modal overlays that are open. */
let openCount = 0

/**
 * Hides the page from screen readers while a modal overlay is open. The library does so too, except for what has
 * `aria-live`, which the thread of a chat has to be silent; notices stand outside of the page and are still announced.
 */
export function useHiddenPage(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return
    const page = document.getElementById('root')
    openCount += 1
    page?.setAttribute('aria-hidden', 'true')
    return () => {
      openCount -= 1
      if (openCount === 0) page?.removeAttribute('aria-hidden')
    }
  }, [open])
}
