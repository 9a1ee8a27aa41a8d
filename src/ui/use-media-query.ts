import {useCallback, useSyncExternalStore} from 'react'

/** Whether a media query holds, kept up to date. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** Phones (design §2). */
export const phone = '(max-width: 767px)'
/** Room for the panel beside the workspace (design.md §2). */
export const wide = '(min-width: 1024px)'
/** Fingers: Enter makes a new line, actions are always visible. */
export const coarsePointer = '(pointer: coarse)'
/** A finger may type, also where the mouse comes first. */
export const anyTouch = '(any-pointer: coarse)'
