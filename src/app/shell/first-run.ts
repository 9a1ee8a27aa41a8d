import {useSyncExternalStore} from 'react'

let isDismissed = false
const listeners = new Set<() => void>()

/** Whether the user closed the start dialog to look around first. Asked again by the balance button, and on reload. */
export const firstRun = {
  setDismissed(value: boolean) {
    isDismissed = value
    for (const listener of listeners) listener()
  },
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useFirstRunDismissed = () => useSyncExternalStore(subscribe, () => isDismissed)
