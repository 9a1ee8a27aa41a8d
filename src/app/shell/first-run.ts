import {useSyncExternalStore} from 'react'

let isDismissed = false
const listeners = new Set<() => void>()

/** Whether the user closed the start dialog to look around first. The balance button and a reload open it again. */
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
